import { afterAll, describe, expect, it } from "vitest";
import { showsAllAtHome } from "../../src/networks/mastodon/known.ts";
import { askSnac, type SnacAccount, startSnac } from "./snac.ts";

const server = await startSnac();

afterAll(async () => {
  if (typeof server !== "string") await server.stop();
});

interface Status {
  id: string;
}

/** One request with an account's token. */
async function call<Answer>(
  port: number,
  path: string,
  { access_token }: SnacAccount,
  fields?: Record<string, string>,
): Promise<Answer> {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const headers = { authorization: `Bearer ${access_token}`, ...(fields && form) };
  const body = Buffer.from(String(new URLSearchParams(fields)));
  const { body: answer } = await askSnac(port, { method: fields ? "POST" : "GET", path, headers }, body);
  return JSON.parse(String(answer)) as Answer;
}

const reason = typeof server === "string" ? ` (skipped: ${server})` : "";

describe.skipIf(typeof server === "string")(`the home timeline of a small server${reason}`, () => {
  it("shows all posts of its owner, where its version is known to", async () => {
    if (typeof server === "string") return;
    const { port } = server;
    const alice = await server.addAccount("alice");
    const bob = await server.addAccount("bob");
    const { version } = await call<{ version: string }>(port, "/api/v1/instance", alice);
    const post = (by: SnacAccount, fields: Record<string, string>): Promise<Status> =>
      call(port, "/api/v1/statuses", by, fields);
    const made: Status[] = [];
    for (const visibility of ["public", "unlisted", "private", "direct"]) {
      const first = await post(alice, { status: `@bob ${visibility}`, visibility });
      const asked = await post(bob, { status: `@alice ${visibility}?`, visibility });
      made.push(first);
      made.push(await post(alice, { status: "And on", visibility, in_reply_to_id: first.id }));
      // A user whom alice does not follow.
      made.push(await post(alice, { status: "@bob yes", visibility, in_reply_to_id: asked.id }));
    }
    const home = await call<Status[]>(port, "/api/v1/timelines/home?limit=40", alice);
    const missing = made.filter(({ id }) => !home.some((each) => each.id === id));
    const known = { account_id: "1", version, is_mastodon: false };
    if (!showsAllAtHome({ account_facts: known }))
      console.warn(`Of ${version} it is not known; of ${made.length} it lacks ${missing.length}.`);
    else expect(missing).toEqual([]);
  });
});
