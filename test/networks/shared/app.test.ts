import { describe, expect, it } from "vitest";
import { z } from "zod";
import { discord } from "../../../src/networks/discord/index.ts";
import { mastodon } from "../../../src/networks/mastodon/index.ts";
import { appFor } from "../../../src/networks/shared/app.ts";

const schema = z.strictObject({ client_id: z.string(), client_secret: z.string() });
const app = { client_id: "1", client_secret: "canary" };

function find(setting: Parameters<typeof appFor<typeof app>>[0]) {
  return appFor(setting, { schema, accountId: "acct_42", name: "Example" });
}

describe("the host's app", () => {
  it("is one for all accounts, or a callback finds one for each", async () => {
    expect(await find(app)).toEqual(app);
    expect(await find((accountId) => ({ ...app, client_id: accountId }))).toMatchObject({ client_id: "acct_42" });
    expect(await find(async () => app)).toEqual(app);
  });

  it("is missing for an account that has none", async () => {
    await expect(find(() => null)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("Example"),
    });
  });

  it("is invalid if the host's callback returns something else; the error does not repeat its secret", async () => {
    const wrong = find(() => ({ client_id: 7, client_secret: "canary" }) as never);
    await expect(wrong).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining("client_id"),
    });
    await expect(wrong).rejects.not.toThrow("canary");
  });
});

describe("a wrong setting is named when the adapter is created", () => {
  it.each([
    ["an app without a secret", () => discord({ app: { client_id: "1" } as never }), "app.client_secret"],
    ["an app that is a string", () => discord({ app: "1" as never }), "app"],
    ["an unknown setting", () => discord({ apps: {} } as never), "apps"],
    ["an app without a name", () => mastodon({ app: {} as never }), "app.name"],
    ["an unknown scope", () => mastodon({ scopes: ["read" as never] }), "scopes[0]"],
    ["no scope at all", () => mastodon({ scopes: [] }), "scopes"],
  ])("for example %s", (_, make, field) => {
    expect(make).toThrow(
      expect.objectContaining({ code: "invalid_options", details: [expect.objectContaining({ field })] }),
    );
  });
});
