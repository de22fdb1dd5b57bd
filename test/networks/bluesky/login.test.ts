import { describe, expect, it } from "vitest";
import { alice, loginBench } from "./login-bench.ts";

describe("a login at Bluesky in the browser", () => {
  it("connects the account, and posts in its name", async () => {
    const bench = loginBench();
    bench.sandbox.bluesky.addAccount({ handle: alice });
    const profile = await bench.logIn(alice);
    expect(profile).toMatchObject({ handle: alice, status: "connected", scopes: ["atproto", "transition:generic"] });
    const post = await bench.clock.run(() =>
      bench.social.posts.create({ profile_ids: [profile.id], text: "By a proof" }),
    );
    expect(post.status).toBe("published");
    expect(bench.sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["By a proof"]);
  });
});
