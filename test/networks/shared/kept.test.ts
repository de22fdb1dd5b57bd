import { describe, expect, it } from "vitest";
import type { NetworkContext, StageContext } from "../../../src/networks/contract/request.ts";
import { isFirstTime } from "../../../src/networks/shared/first-time.ts";
import { renewTokens } from "../../../src/networks/shared/renew-tokens.ts";
import { listsThatShow } from "../../../src/networks/shared/shown-lists.ts";
import { neededText, stagedText } from "../../../src/networks/shared/staged-text.ts";

describe("a staged value", () => {
  it("is a string, or absent", () => {
    expect(stagedText({ id: "1" }, "id")).toBe("1");
    expect(stagedText({ id: 1 }, "id")).toBeNull();
    expect(stagedText({}, "id")).toBeNull();
  });

  it("is named in the error if a request requires it and it is missing", () => {
    expect(neededText({ id: "1" }, "id")).toBe("1");
    expect(() => neededText({}, "id")).toThrow(
      expect.objectContaining({ code: "internal_error", message: "id was not staged." }),
    );
  });
});

it("isFirstTime is true only at the first call for a name", async () => {
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

  it("returns the new refresh token, and keeps the other fields", async () => {
    const context = contextWith({ refresh_token: "old", more: "kept" }, { access_token: "a", refresh_token: "new" });
    expect((await renewTokens(table, context, own)).secret).toEqual({
      access_token: "a",
      refresh_token: "new",
      more: "kept",
    });
  });

  it("keeps the used refresh token if the response has no new one", async () => {
    const context = contextWith({ refresh_token: "old" }, { access_token: "a", expires_in: 60 });
    expect(await renewTokens(table, context, own)).toEqual({
      client: { client_id: "app" },
      secret: { access_token: "a", refresh_token: "old" },
      expires_at: 61_000,
      refresh_expires_at: null,
    });
  });

  it("does not ask for an app without a refresh token", async () => {
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

  // Neither reads its arguments.
  const [context, input] = [{}, {}] as Parameters<ReturnType<typeof listsWith>["showing"]> extends [
    infer C,
    unknown,
    infer I,
  ]
    ? [C, I]
    : never;

  it("is named until it is known to show it", () => {
    expect(listsWith({ isKnown: false, posts: [] }).names(input)).toEqual(["posts"]);
    expect(listsWith({ isKnown: true, posts: [] }).names(input)).toEqual([]);
  });

  it("is known to show it once it contains the part", async () => {
    const shown = (posts: (typeof post)[] | null) =>
      listsWith({ isKnown: false, posts }).showing(context, published, input);
    expect(await shown([post])).toEqual(["posts"]);
    expect(await shown([])).toEqual([]);
    expect(await shown(null)).toEqual([]);
  });
});
