import { describe, expect, it } from "vitest";
import { bluesky } from "../../../src/networks/bluesky/index.ts";
import type { Acceptance } from "../../../src/networks/contract/acceptance.ts";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookResult } from "../../../src/networks/contract/look.ts";
import type { IdentifiedPart, Published } from "../../../src/networks/contract/plan.ts";
import type { Identity } from "../../../src/networks/contract/profile.ts";
import type { Publisher } from "../../../src/networks/contract/publish.ts";
import { readableAdapter, readableIdentity } from "../../../src/networks/runtime/readable.ts";
import { answered } from "../../support/answered.ts";

const identity: Identity = {
  external_id: "social.example:1",
  name: "Zoë",
  handle: "zoe@social.example",
  avatar_url: "https://social.example/zoe.png",
  url: "https://social.example/@zoe",
  scopes: ["read", "write"],
  limits: { text: { max: 500 } },
  host: "social.example",
  account_facts: { account_id: "1" },
};
const secret = { access_token: "canary-token" };

function read(change: Partial<Identity>): Identity {
  return readableIdentity({ ...identity, ...change }, secret);
}

describe("an account's identity", () => {
  it("is stored unchanged", () => {
    expect(read({})).toEqual(identity);
  });

  it("is shortened and cleaned", () => {
    const long = "a".repeat(1_000_000);
    const identity = read({ name: `a\0\u202e${long}`, handle: `b\n${long}`, scopes: Array(5_000).fill(long) });
    expect(identity.name).toMatch(/^a a{200,}…$/);
    expect(identity.handle).toMatch(/^b a{400,}…$/);
    expect(JSON.stringify(identity).length).toBeLessThan(50_000);
  });

  it("always has a name", () => {
    expect(read({ name: "\u202e\0" }).name).toBe("zoe@social.example");
    expect(read({ name: "", handle: "\0" })).toMatchObject({ name: "social.example:1", handle: null });
  });

  it.each([
    "javascript:alert(1)",
    "no address",
    `https://a.example/${"a".repeat(3_000)}`,
    "https://a.example/canary-token",
    "data:text/html,x",
  ])("has no URL from %.40s", (url) => {
    expect(read({ url, avatar_url: url })).toMatchObject({ url: null, avatar_url: null });
  });

  it("has a URL without characters that reverse the text direction", () => {
    expect(read({ url: "https://a.example/\u202egnp" }).url).toBe("https://a.example/%E2%80%AEgnp");
  });

  it.each<[string, Partial<Identity>]>([
    ["an id with a NUL", { external_id: "social.example:1\0" }],
    ["an id with a lone surrogate", { external_id: "social.example:\ud800" }],
    ["an id with a replacement character", { external_id: "social.example:1\ufffd" }],
    ["an id that is too long", { external_id: "a".repeat(501) }],
    ["no id", { external_id: "" }],
    ["an id that is the credential", { external_id: "canary-token" }],
    ["a host that is too long", { host: "a".repeat(501) }],
    ["account facts that are too long", { account_facts: { a: "a".repeat(20_001) } }],
    ["account facts that hold the credential", { account_facts: { a: "canary-token" } }],
  ])("is unreadable with %s", (_, change) => {
    expect(() => read(change)).toThrow("could not be read");
  });

  it("repeats no credential", () => {
    const identity = read({ name: "I am canary-token", handle: "canary-token", scopes: ["canary-token"] });
    expect(JSON.stringify(identity)).not.toContain("canary-token");
  });
});

describe("a published part", () => {
  const part: IdentifiedPart = { id: "1", url: "https://social.example/@zoe/1", ref: null };

  function acceptance(given: Acceptance): Acceptance | null {
    const plain = bluesky();
    if (plain.publish === undefined) return expect.unreachable();
    const publish = { ...plain.publish, accepted: () => given, duplicateOf: () => null };
    const adapter = readableAdapter({ ...plain, publish });
    return adapter.publish?.accepted(answered({}), { secret } as unknown as CommitInput) ?? null;
  }

  function accepted(change: Partial<Published>): Published | null {
    const taken = acceptance({ live: { ...part, ...change } });
    return taken !== null && "live" in taken ? taken.live : null;
  }

  async function located(sighting: LookResult): Promise<LookResult | undefined> {
    const plain = bluesky();
    if (plain.publish === undefined) return expect.unreachable();
    const adapter = readableAdapter({ ...plain, publish: { ...plain.publish, lookFor: async () => sighting } });
    return adapter.publish?.lookFor(...([{}, { secret }] as unknown as Parameters<Publisher["lookFor"]>));
  }

  function listOf(published: IdentifiedPart): LookResult {
    const post = { published, created_at: 0, texts: ["Hello"], isSameKind: true, origin: null };
    return { parent: null, lists: [{ posts: [post], isWhole: true, showsSuch: true, name: "list" }] };
  }

  it("is found again as it is shown", async () => {
    expect(await located({ live: part })).toEqual({ live: part });
    expect(await located(listOf(part))).toEqual(listOf(part));
    expect(await located({ absent: true })).toEqual({ absent: true });
  });

  it.each<[string, LookResult]>([
    ["found by its key", { live: { ...part, id: "1\0" } }],
    ["in a list of the account", listOf({ ...part, id: "\udc00" })],
  ])("stays uncertain if its id is unreadable: %s", async (_, sighting) => {
    expect(await located(sighting)).toEqual({ cannot_tell: expect.stringContaining("an unreadable id") });
  });

  it("is stored unchanged", () => {
    expect(accepted({})).toEqual(part);
  });

  it.each<[string, Partial<IdentifiedPart>]>([
    ["a NUL in its id", { id: "1\0" }],
    ["a lone surrogate in its id", { id: "\udc00" }],
    ["an id that is too long", { id: "a".repeat(501) }],
    ["an id that is the credential", { id: "canary-token" }],
    ["a reply reference that is too long", { ref: "a".repeat(20_001) }],
  ])("is unreadable with %s", (_, change) => {
    expect(accepted(change)).toBeNull();
  });

  it("is read part by part in a shared request, and is unreadable if one part is", () => {
    const second = { ...part, id: "2" };
    expect(accepted({ following: [{ ...second, url: "javascript:alert(1)" }] })).toEqual({
      ...part,
      following: [{ ...second, url: null }],
    });
    expect(accepted({ following: [second, { ...part, id: "1\0" }] })).toBeNull();
  });

  it("may be a job only if the job can be stored and holds no credential", () => {
    expect(acceptance({ job: { id: "7" } })).toEqual({ job: { id: "7" } });
    expect(acceptance({ job: { id: "canary-token" } })).toBeNull();
    expect(acceptance({ job: "a".repeat(20_001) })).toBeNull();
  });

  it("is refused, or has failed, in words that can be shown", async () => {
    const failure = { code: "media_error", message: "The video of canary-token\n is broken." } as const;
    const shown = { code: "media_error", message: expect.not.stringMatching(/canary-token|\n/) };
    expect(acceptance({ refused: failure })).toEqual({ refused: shown });
    expect(await located({ failed: failure })).toEqual({ failed: shown });
    const pending = { pending: "at work", again_seconds: 300 };
    expect(await located({ ...pending, at_cap: { failed: failure } })).toEqual({
      ...pending,
      at_cap: { failed: shown },
    });
  });

  it("is not live at the end of a wait if its id is unreadable", async () => {
    const pending = { pending: "at work" };
    expect(await located({ ...pending, at_cap: { live: part } })).toEqual({ ...pending, at_cap: { live: part } });
    expect(await located({ ...pending, at_cap: { live: { ...part, id: "1\0" } } })).toEqual(pending);
  });

  it.each(["javascript:alert(1)", "https://a.example/?t=canary-token"])("has no URL from %s", (url) => {
    expect(accepted({ url })).toEqual({ ...part, url: null });
  });
});
