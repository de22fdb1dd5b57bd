import { describe, expect, it } from "vitest";
import { createTestService } from "../../support/service.ts";

/** What an account may put behind its reels. */
async function music(login: "instagram" | "facebook", query?: string) {
  const { social, sandbox, clock } = createTestService();
  const { access_token } = sandbox.instagram.addAccount({ username: "alice", login });
  const { id } = await clock.run(() =>
    social.profiles.connect({ network: "instagram", credentials: { access_token } }),
  );
  return clock.run(() => social.profiles.choices(id, "audio_configuration.audio_id", { query }));
}

describe("music behind a reel", () => {
  it("is what Instagram finds by words, under ids longer than a JavaScript number holds", async () => {
    expect(await music("facebook", "harbour")).toEqual([
      { value: "9007199254740993", name: "Harbour Lights – The Ferrymen" },
      { value: "9007199254740997", name: "Slow Harbour" },
    ]);
  });

  it("is what is popular without words", async () => {
    expect(await music("facebook")).toHaveLength(3);
  });

  it("is not shown to Instagram's own login: the refusal says what to do", async () => {
    await expect(music("instagram")).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/connect the account with Facebook's login/),
    });
  });
});
