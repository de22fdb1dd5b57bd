import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { HookForm, HookSigning } from "../../src/networks/contract/hooks.ts";
import { signedByApp } from "../../src/networks/shared/app.ts";
import { linkedin } from "../../src/networks/shared/hook-forms/linkedin.ts";
import { x } from "../../src/networks/shared/hook-forms/x.ts";
import { oauthAppSchema } from "../../src/networks/shared/oauth2.ts";
import { documentedChallenge, documentedCrc } from "../networks/shared/hook-forms/documented.ts";
import { eventWith, openToyHooks, toyApp } from "../support/toy-hooks.ts";

const app = { client_id: toyApp, client_secret: documentedCrc.secret };
const signed = signedByApp(app, { schema: oauthAppSchema });

describe("the answer to a network", () => {
  it.each([
    ["X", x, documentedCrc.secret, "crc_token", { response_token: documentedCrc.response_token }],
    ["LinkedIn", linkedin, documentedChallenge.secret, "challengeCode", documentedChallenge],
  ] as const)("is JSON where %s asks for it", async (_, form, client_secret, name, answer) => {
    const { send } = await openToyHooks({
      signed: signedByApp({ ...app, client_secret }, { schema: oauthAppSchema }),
      form,
    });
    const { secret: __, ...expected } = { secret: "", ...answer };
    const asked = name === "crc_token" ? documentedCrc.crc_token : documentedChallenge.challengeCode;
    const response = await send(toyApp, { query: `?${name}=${asked}` });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(expected);
  });

  it("is text elsewhere, and has the status for wrong signatures that the network's form names", async () => {
    const refusals: [HookForm, number][] = [
      [x, 403],
      [{ ...x, refusalStatus: 401 }, 401],
    ];
    for (const [form, status] of refusals) {
      const { send } = await openToyHooks({ signed, form });
      const wrong = { "x-twitter-webhooks-signature": `sha256=${"A".repeat(43)}=` };
      for (const headers of [{}, wrong]) {
        const response = await send(toyApp, { method: "POST", headers, body: eventWith("a") });
        expect(response.status).toBe(status);
        expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      }
    }
  });
});

describe("secrets of an app that sign its webhooks", () => {
  const sent = (secret: string, text: string) => {
    const body = eventWith(text);
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("base64")}`;
    return { method: "POST", headers: { "x-twitter-webhooks-signature": signature }, body };
  };

  it.each([
    ["one app for all accounts", app],
    ["an app for each account", () => app],
  ] as const)("may be several, and others than the app's own: %s", async (_, setting) => {
    const several: HookSigning = signedByApp<typeof app>(setting, {
      schema: oauthAppSchema,
      secretsIn: ({ client_secret }) => [`${client_secret}-new`, `${client_secret}-old`],
    });
    const { send, texts } = await openToyHooks({ signed: several, form: x });
    const statuses: number[] = [];
    for (const end of ["-new", "-old", ""])
      statuses.push((await send(toyApp, sent(`${app.client_secret}${end}`, `a${end}`))).status);
    expect(statuses).toEqual([200, 200, 403]);
    expect(await texts()).toEqual(["a-new", "a-old"]);
  });
});
