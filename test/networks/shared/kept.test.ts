import { describe, expect, it } from "vitest";
import type { NetworkContext, StageContext } from "../../../src/networks/contract/request.ts";
import { isFirstTime } from "../../../src/networks/shared/first-time.ts";
import { renewTokens } from "../../../src/networks/shared/renew-tokens.ts";
import { listsThatShow } from "../../../src/networks/shared/shown-lists.ts";
import { neededText, stagedText } from "../../../src/networks/shared/staged-text.ts";

describe("what was staged", () => {
  it("is a text, or nothing", () => {
    expect(stagedText({ id: "1" }, "id")).toBe("1");
    expect(stagedText({ id: 1 }, "id")).toBeNull();
    expect(stagedText({}, "id")).toBeNull();
  });

  it("is missed by its name where no request goes without it", () => {
    expect(neededText({ id: "1" }, "id")).toBe("1");
    expect(() => neededText({}, "id")).toThrow(
      expect.objectContaining({ code: "internal_error", message: "id was not staged." }),
    );
  });
});

it("what is kept happens for the first time once", async () => {
  const kept = new Map<string, unknown>();
  const once = async (name: string, make: () => Promise<unknown>) => {
    if (!kept.has(name)) kept.set(name, await make());
    return kept.get(name);
  };
  const context = { once } as unknown as StageContext;
  expect(await isFirstTime(context, "failed", { keepSeconds: 1 })).toBe(true);
  expect(await isFirstTime(context, "failed", { keepSeconds: 1 })).toBe(false);
});

describe("a renewal", () => {
  const table = {
    name: "Toy",
    authorize: "https://toy.example/authorize",
    token: "https://toy.example/token",
    clientAuth: "form",
    pkce: false,
  } as const;

  function contextWith(secret: NetworkContext["secret"], answer: object) {
    const request = async () => ({ status: 200, headers: new Headers(), body: answer });
    return { secret, request, now: () => 1_000 } as unknown as NetworkContext;
  }

  const own = { client: async () => ({ client_id: "app" }), ended: "Connect again." };

  it("brings the new refresh token, and keeps what else there was", async () => {
    const context = contextWith({ refresh_token: "old", more: "kept" }, { access_token: "a", refresh_token: "new" });
    expect((await renewTokens(table, context, own)).secret).toEqual({
      access_token: "a",
      refresh_token: "new",
      more: "kept",
    });
  });

  it("goes on with the used refresh token where no other came", async () => {
    const context = contextWith({ refresh_token: "old" }, { access_token: "a", expires_in: 60 });
    expect(await renewTokens(table, context, own)).toEqual({
      client: { client_id: "app" },
      secret: { access_token: "a", refresh_token: "old" },
      expires_at: 61_000,
      refresh_expires_at: null,
    });
  });

  it("asks for no app where it does not exist to renew", async () => {
    const client = async () => {
      throw new Error("No app was to be asked for.");
    };
    await expect(renewTokens(table, contextWith({}, {}), { ...own, client })).rejects.toMatchObject({
      code: "reauthentication_required",
      message: "Connect again.",
    });
  });
});

describe("a list that is not known to show a part", () => {
  const published = { id: "1", url: null, ref: null };
  const post = { published, created_at: 0, texts: [], isSameKind: true, origin: null };

  function listsWith(own: { isKnown: boolean; posts: (typeof post)[] | null }) {
    return listsThatShow({
      isKnown: () => own.isKnown,
      nameOf: () => "posts",
      read: async () => own.posts && { posts: own.posts, isWhole: true, showsSuch: false, name: "posts" },
    });
  }

  // Neither looks into what it is given.
  const [context, input] = [{}, {}] as Parameters<ReturnType<typeof listsWith>["showing"]> extends [
    infer C,
    unknown,
    infer I,
  ]
    ? [C, I]
    : never;

  it("is named until it is known to", () => {
    expect(listsWith({ isKnown: false, posts: [] }).names(input)).toEqual(["posts"]);
    expect(listsWith({ isKnown: true, posts: [] }).names(input)).toEqual([]);
  });

  it("shows it once the part stands in it", async () => {
    const shown = (posts: (typeof post)[] | null) =>
      listsWith({ isKnown: false, posts }).showing(context, published, input);
    expect(await shown([post])).toEqual(["posts"]);
    expect(await shown([])).toEqual([]);
    expect(await shown(null)).toEqual([]);
  });
});
