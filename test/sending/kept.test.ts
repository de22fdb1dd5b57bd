import { describe, expect, it } from "vitest";
import type { StageContext } from "../../src/networks/contract/request.ts";
import { errorRow, errorTable } from "../networks/fake-network.ts";
import { createToy, type Toy } from "../support/toy.ts";

const gone = errorRow({ status: 410, effect: "later", remedy: "stage_again", as: "network_error" });
const session = "https://api.network.example/sessions/canary-session";

/** A network that issues a session for an upload, whose URL alone is enough to write to it. */
async function withSessions(stage: (context: StageContext) => Promise<void>): Promise<Toy & { staged: unknown[] }> {
  const staged: unknown[] = [];
  const toy = await createToy(
    {
      async stage(context) {
        await stage(context);
      },
      commit({ part, staged: values }) {
        staged.push(values);
        return { method: "POST", url: "https://api.network.example/posts", body: { json: { text: part.text } } };
      },
    },
    { adapter: { errors: errorTable(gone, errorRow({ status: 429, effect: "later", remedy: "rate_limit" })) } },
  );
  toy.script["POST /posts"] = () => ({ status: 429, headers: { "retry-after": "60" } });
  return { ...toy, staged };
}

async function stored(toy: Toy): Promise<string> {
  const rows = await Promise.all(
    ["targets", "intents"].map((name) => toy.storage.find(name as "targets", { where: {} })),
  );
  return JSON.stringify(rows.map(({ rows: each }) => each));
}

async function goOn(toy: Toy, postId: string): Promise<string> {
  toy.script["POST /posts"] = () => ({ status: 201, json: { id: "1" } });
  await toy.clock.advance(60_000);
  await toy.clock.run(() => toy.social.runDue());
  return (await toy.social.posts.get(postId)).status;
}

describe("a value that a stage keeps", () => {
  it("is stored encrypted when it is a secret, and returned unchanged", async () => {
    let made = 0;
    const toy = await withSessions(async (context) => {
      const make = async () => `${session}-${++made}`;
      expect(await context.once("session", make, { keepSeconds: 3_600, sealed: true })).toBe(`${session}-1`);
      expect(await context.once("plain", async () => "canary-plain", { keepSeconds: 3_600 })).toBe("canary-plain");
    });
    const { id } = await toy.publish();
    const rows = await stored(toy);
    expect(rows).toContain("canary-plain");
    expect(rows).not.toContain("canary-session");
    expect(await goOn(toy, id)).toBe("published");
    expect(toy.staged).toContainEqual({ session: `${session}-1`, plain: "canary-plain" });
    expect(made).toBe(1);
  });

  it("is made anew when the stage forgets it", async () => {
    let made = 0;
    const toy = await withSessions(async (context) => {
      const make = async () => ++made;
      await context.once("other", make, { keepSeconds: 3_600 });
      await context.once("upload", make, { keepSeconds: 3_600 });
      await context.forget("upload");
      await context.once("upload", make, { keepSeconds: 3_600 });
    });
    await toy.publish();
    expect(toy.staged.at(-1)).toEqual({ other: 1, upload: 3 });
  });

  it("is made anew, once, when the network reports in the middle of a stage that it is gone", async () => {
    let made = 0;
    const toy = await withSessions(async (context) => {
      const id = await context.once("upload", async () => `upload-${++made}`, { keepSeconds: 3_600 });
      await context.request({ method: "GET", url: `https://api.network.example/uploads/${id}` });
    });
    toy.script["GET /uploads/upload-1"] = () => ({ status: 410 });
    toy.script["GET /uploads/upload-2"] = () => ({ json: {} });
    const { id } = await toy.publish();
    expect(toy.staged.at(-1)).toEqual({ upload: "upload-2" });
    expect(await goOn(toy, id)).toBe("published");
  });

  it("is not made again and again: a stage whose value is gone each time waits", async () => {
    let made = 0;
    const toy = await withSessions(async (context) => {
      const id = await context.once("upload", async () => `upload-${++made}`, { keepSeconds: 3_600 });
      await context.request({ method: "GET", url: `https://api.network.example/uploads/${id}` });
    });
    for (const number of Array(50).keys()) toy.script[`GET /uploads/upload-${number}`] = () => ({ status: 410 });
    const post = await toy.publish();
    expect(post.status).toBe("publishing");
    expect(made).toBeLessThan(6);
  });
});
