import { describe, expect, it } from "vitest";
import type { NewAccount } from "../../../src/sandbox/instagram/accounts.ts";
import { createTestService } from "../../support/service.ts";

type Option = "audio_configuration.audio_id" | "product_tags.product_id";

/** An option's possible values for an account. */
async function choicesOf(option: Option, account: Partial<NewAccount>, query?: string) {
  const { social, sandbox, clock } = createTestService();
  const { access_token } = sandbox.instagram.addAccount({ username: "alice", ...account });
  const { id } = await clock.run(() =>
    social.profiles.connect({ network: "instagram", credentials: { access_token } }),
  );
  return clock.run(() => social.profiles.choices(id, option, { query }));
}

const behindPage = { login: "facebook" } as const;

describe("music for a reel", () => {
  const option = "audio_configuration.audio_id";

  it("is found by words, under ids that exceed a JavaScript number", async () => {
    expect(await choicesOf(option, behindPage, "harbour")).toEqual([
      { value: "9007199254740993", name: "Harbour Lights – The Ferrymen" },
      { value: "9007199254740997", name: "Slow Harbour" },
    ]);
  });

  it("is the popular music without words", async () => {
    expect(await choicesOf(option, behindPage)).toHaveLength(3);
  });
});

describe("products of the shop", () => {
  const option = "product_tags.product_id";

  it("are found by words, without the rejected ones", async () => {
    expect(await choicesOf(option, behindPage, "bread")).toEqual([
      { value: "9007199254741201", name: "Rye bread" },
      { value: "9007199254741205", name: "BREAD-BOX" },
    ]);
    expect(await choicesOf(option, behindPage, "rye")).toMatchObject([{ value: "9007199254741201" }]);
  });

  it("are all listed without words", async () => {
    expect(await choicesOf(option, behindPage)).toHaveLength(2);
  });

  it("are hidden from a connection without the shop's scopes, with the reason", async () => {
    const scopes = ["instagram_basic", "instagram_content_publish"];
    await expect(choicesOf(option, { ...behindPage, scopes })).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/lacks a permission, or the person lacks a role in the shop's/),
    });
  });
});

it.each<Option>(["audio_configuration.audio_id", "product_tags.product_id"])(
  "%s is not available with Instagram Login: the refusal explains what to do",
  async (option) => {
    await expect(choicesOf(option, { login: "instagram" })).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/connect the account with Facebook Login/),
    });
  },
);
