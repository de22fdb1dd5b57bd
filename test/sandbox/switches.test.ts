import { describe, expect, it } from "vitest";
import { linkedin } from "../../src/networks/linkedin/index.ts";
import { limits } from "../../src/networks/linkedin/limits.ts";
import type { Target } from "../../src/publishing/schema.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { sceneOf } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { createTestService, testNetworks } from "../support/service.ts";

async function desk(network: Parameters<typeof sceneOf>[0], options: Parameters<typeof createTestService>[0] = {}) {
  const bench = createTestService(options);
  const { social, sandbox, clock } = bench;
  const scene = sceneOf(network);
  const profile = await connectFirst(bench, scene);
  return {
    ...bench,
    profile,
    /** Publishes a post with the network's required content, and waits until it is settled. */
    async publish(own: JsonObject = {}): Promise<Target | undefined> {
      const content = { ...scene.needs?.(sandbox), ...own };
      const body = { profile_ids: [profile.id], text: "Hello", networks: { [network]: content } };
      const { id } = await clock.run(() => social.posts.create(body as never));
      for (let round = 0; round < 30; round += 1) {
        const [target] = (await social.posts.get(id)).targets;
        if (target?.status === "published" || target?.status === "failed") break;
        await clock.advance(3_600_000);
        await clock.run(() => social.runDue());
      }
      return (await social.posts.get(id)).targets[0];
    },
  };
}

describe("after a switch of the sandbox,", () => {
  it("TikTok's account that becomes private accepts no public post", async () => {
    const { sandbox, profile, publish } = await desk("tiktok");
    expect(await publish()).toMatchObject({ status: "published" });
    sandbox.tiktok.changeAccount(profile.external_id, { isPrivate: true });
    expect(await publish()).toMatchObject({
      status: "failed",
      error: {
        code: "invalid_request",
        message: expect.stringContaining("FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS"),
      },
    });
  });

  it("Google's location that loses its verification accepts no post", async () => {
    const { sandbox, profile, publish } = await desk("google_business");
    sandbox.google_business.unverify(profile.external_id);
    const error = { code: "rejected_by_network", message: expect.stringContaining("may be unverified") };
    expect(await publish()).toMatchObject({ status: "failed", error });
  });

  it("the retirement of LinkedIn's version is reported with the option to set", async () => {
    const { sandbox, publish } = await desk("linkedin");
    sandbox.linkedin.endVersion("202609");
    const error = { code: "internal_error", message: expect.stringContaining("Set apiVersion to a newer one") };
    expect(await publish()).toMatchObject({ status: "failed", error });
  });

  it("YouTube's video that its owner deletes is no longer visible", async () => {
    const { sandbox, publish } = await desk("youtube");
    const [id = ""] = (await publish())?.post_ids ?? [];
    expect(sandbox.youtube.posts()).toHaveLength(1);
    sandbox.youtube.deleteVideo(id);
    expect(sandbox.youtube.posts()).toEqual([]);
  });

  it("YouTube's quota that is used up ends at midnight in California", async () => {
    const { sandbox, publish } = await desk("youtube");
    sandbox.youtube.useUpUnits(5 * 3_600);
    const error = {
      code: "network_error",
      message: expect.stringMatching(/quota .* before 2026-11-22T08:00:00\.000Z/),
    };
    expect(await publish()).toMatchObject({ status: "failed", error });
  });

  it.each(["threads", "instagram"] as const)("an account of %s that is restricted is unavailable", async (network) => {
    const { sandbox, profile, publish } = await desk(network);
    sandbox[network].restrict(profile.external_id);
    const error = { code: "profile_unavailable", message: expect.stringContaining("is restricted") };
    expect(await publish()).toMatchObject({ status: "failed", error });
  });
});

it.each(Object.keys(limits.versions) as (keyof typeof limits.versions)[])(
  "the sandbox knows LinkedIn's version %s",
  async (apiVersion) => {
    const app = { client_id: "id", client_secret: "secret" };
    const networks = testNetworks().map((each) =>
      each.spec.network === "linkedin" ? linkedin({ app, apiVersion }) : each,
    );
    const { publish } = await desk("linkedin", { networks });
    expect(await publish()).toMatchObject({ status: "published" });
  },
);
