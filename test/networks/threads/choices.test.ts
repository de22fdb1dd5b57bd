import { describe, expect, it } from "vitest";
import { createTestService } from "../../support/service.ts";

/** The places that Threads finds for an account. */
async function places({ query, scopes }: { query?: string; scopes?: readonly string[] } = {}) {
  const { social, sandbox, clock } = createTestService();
  const { access_token } = sandbox.threads.addAccount({
    username: "alice",
    ...(scopes === undefined ? {} : { scopes }),
  });
  const { id } = await clock.run(() => social.profiles.connect({ network: "threads", credentials: { access_token } }));
  return clock.run(() => social.profiles.choices(id, "location_id", { query }));
}

describe("places for a Threads post", () => {
  it("are found by words, with their location, under ids that exceed a JavaScript number", async () => {
    expect(await places({ query: "harbour" })).toEqual([
      { value: "9007199254741301", name: "Harbour Bakery, Kai 7, Hamburg, Germany" },
      { value: "9007199254741303", name: "Old Harbour, Oslo, Norway" },
    ]);
  });

  it("are an empty list without words, and if there are no results", async () => {
    expect(await places()).toEqual([]);
    expect(await places({ query: "desert" })).toEqual([]);
  });

  it("are hidden from a connection without the scope, with the scope's name", async () => {
    const scopes = ["threads_basic", "threads_content_publish"];
    await expect(places({ query: "harbour", scopes })).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/lacks threads_location_tagging: add it to furtherScopes/),
    });
  });
});
