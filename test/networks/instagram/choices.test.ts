import { describe, expect, it } from "vitest";
import type { NewAccount } from "../../../src/sandbox/instagram/accounts.ts";
import { createTestService } from "../../support/service.ts";

type Option = "audio_configuration.audio_id" | "product_tags.product_id";

/** What an account may choose of an option. */
async function choicesOf(option: Option, account: Partial<NewAccount>, query?: string) {
  const { social, sandbox, clock } = createTestService();
  const { access_token } = sandbox.instagram.addAccount({ username: "alice", ...account });
  const { id } = await clock.run(() =>
    social.profiles.connect({ network: "instagram", credentials: { access_token } }),
  );
  return clock.run(() => social.profiles.choices(id, option, { query }));
}

const behindPage = { login: "facebook" } as const;

describe("music behind a reel", () => {
  const option = "audio_configuration.audio_id";

  it("is what Instagram finds by words, under ids longer than a JavaScript number holds", async () => {
    expect(await choicesOf(option, behindPage, "harbour")).toEqual([
      { value: "9007199254740993", name: "Harbour Lights – The Ferrymen" },
      { value: "9007199254740997", name: "Slow Harbour" },
    ]);
  });

  it("is what is popular without words", async () => {
    expect(await choicesOf(option, behindPage)).toHaveLength(3);
  });
});

describe("products of the shop", () => {
  const option = "product_tags.product_id";

  it("are those that Instagram finds by words, without what it has rejected", async () => {
    expect(await choicesOf(option, behindPage, "bread")).toEqual([
      { value: "9007199254741201", name: "Rye bread" },
      { value: "9007199254741205", name: "BREAD-BOX" },
    ]);
    expect(await choicesOf(option, behindPage, "rye")).toMatchObject([{ value: "9007199254741201" }]);
  });

  it("are all without words", async () => {
    expect(await choicesOf(option, behindPage)).toHaveLength(2);
  });

  it("a login without rights to the shop does not see, and is told so", async () => {
    const scopes = ["instagram_basic", "instagram_content_publish"];
    await expect(choicesOf(option, { ...behindPage, scopes })).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/lacks a permission, or the person lacks a role in the shop's/),
    });
  });
});

it.each<Option>(["audio_configuration.audio_id", "product_tags.product_id"])(
  "%s is not shown to Instagram's own login: the refusal says what to do",
  async (option) => {
    await expect(choicesOf(option, { login: "instagram" })).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/connect the account with Facebook Login/),
    });
  },
);
