import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { jpeg, movie } from "../media/samples.ts";
import type { Around, OptionExample } from "../networks/option-examples.ts";
import type { Scene } from "../networks/scene.ts";
import { scenes } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";

/** A host with an account that has posted before. */
async function hostOf(scene: Scene, on: OptionExample["on"]) {
  const { network, needs } = scene;
  const clock = manualClock();
  const mediaStore = memoryMediaStore();
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(mediaStore, testBaseUrl)] });
  const ports = { http: sandbox.http, untrustedHttp: sandbox.untrustedHttp, mediaStore };
  const { social } = createTestService({ clock, ...ports });
  const { id, external_id: account } =
    on === undefined
      ? await connectFirst({ social, sandbox, clock }, scene)
      : await clock.run(() => social.profiles.connect({ network, credentials: on(sandbox) }));
  const files = {
    video: sandbox.media.put("film.mp4", movie("isom", "first", { width: 720, height: 1280, seconds: 10 }, 100_000)),
    photo: sandbox.media.put("photo.jpg", jpeg(1080, 1080, { before: 20_000 })),
  };
  async function publish(text: string, own: Readonly<Record<string, unknown>>) {
    const given = { profile_ids: [id], text, networks: { [network]: own } } as CreatePost;
    const made = await clock.run(() => social.posts.create(given));
    await clock.advance(6 * 3_600_000);
    await clock.run(() => social.runDue());
    const [target] = (await social.posts.get(made.id)).targets;
    if (target === undefined) throw new Error("no target");
    return target;
  }
  const needed = needs?.(sandbox) ?? {};
  const { post_ids, url } = await publish("Earlier", needed);
  const around: Around = { sandbox, account, ...files, earlier: { id: post_ids[0] ?? "", url: url ?? "" } };
  return { needed, around, publish };
}

describe.each(scenes)("a post with an option of $network, sent through a whole service", (scene) => {
  const own = Object.entries(scene.options);

  it.each(own)("publishes with %s", async (option, { value, options, post, besides = {}, on }) => {
    const { needed, around, publish } = await hostOf(scene, on);
    const given = typeof value === "function" ? value(around) : value;
    const all = options?.(around) ?? { ...needed, ...besides, [option]: given };
    const target = await publish("Look", { ...all, ...post?.(around) });
    expect([target.status, target.error]).toEqual(["published", null]);
  });

  it("is tried with every option of the schema", () => {
    const { properties } = z.toJSONSchema(scene.adapter().options, { io: "input" }) as { properties: JsonObject };
    expect(own.map(([option]) => option)).toEqual(Object.keys(properties));
  });
});
