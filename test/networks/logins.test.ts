import { describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { networkBench } from "../../src/testing/network-bench.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { failure, logIn, renew } from "./desk.ts";
import type { AccountKind, Scene } from "./scene.ts";
import { scenes } from "./scenes.ts";

/** A bench of the network, and credentials of a new account there. */
function newAccount({ adapter, network }: Scene, kind: AccountKind) {
  let made: Sandbox | undefined;
  const bench = networkBench({
    adapter: adapter(),
    network: ({ clock }) => {
      made = createSandbox({ clock });
      return made[network];
    },
  });
  if (made === undefined) throw new Error("There is no sandbox.");
  return { bench, credentials: kind.connect(made, "alice").credentials as JsonObject };
}

const kinds = scenes.flatMap((scene) => {
  return scene.accounts
    .filter(({ isVariant }) => !isVariant)
    .map((kind) => ({ scene, kind, ...newAccount(scene, kind) }));
});

/** Networks with OAuth 2.0 tokens, whose validity only the network knows. */
const byToken = kinds
  .filter(({ credentials }) => "access_token" in credentials)
  .map(({ scene, kind }) => ({ name: kind.name, scene, kind }));

const renewed = kinds
  .filter(({ credentials }) => typeof credentials.refresh_token === "string")
  .map(({ scene, kind }) => ({ name: kind.name, scene, kind, operation: scene.operations.renew ?? "" }));

describe.each(byToken)("a token of $name", ({ scene, kind }) => {
  it("that the network does not know is rejected, by an error that names its field and does not repeat it", async () => {
    const { bench, credentials } = newAccount(scene, kind);
    const { refresh_token: _, ...given } = credentials;
    const error = await failure(logIn(bench, { ...given, access_token: "a-token-of-nobody-at-all" }));
    expect(error).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^access_token: /),
    });
    expect(String(error)).not.toContain("a-token-of-nobody-at-all");
  });

  it.each([{ access_token: undefined }, { access_token: "a b" }, { refresh_token: "a\nb" }, { more: 1 }])(
    "is rejected with %j",
    (wrong) => {
      const { bench, credentials } = newAccount(scene, kind);
      const { credentials: schema } = bench.adapter.connect;
      expect(schema.safeParse(credentials).success).toBe(true);
      expect(schema.safeParse({ ...credentials, ...wrong }).success).toBe(false);
    },
  );
});

describe.each(renewed)("a connection of $name", ({ scene, kind, operation }) => {
  it.each([{}, { refresh_token: "" }, { refresh_token: null }])(
    "keeps its refresh token if %j is beside the new token",
    async (came) => {
      const { bench, credentials } = newAccount(scene, kind);
      const connected = await bench.connect(credentials);
      const json = { access_token: "newer", token_type: "bearer", expires_in: 7_200, ...came };
      bench.network.faults.add({ kind: "refuse", operation, answer: { status: 200, json } });
      const { refresh_token } = credentials;
      expect((await renew({ bench, connected }))?.secret).toMatchObject({ access_token: "newer", refresh_token });
    },
  );

  it.each([
    [400, null],
    [400, { error: "temporarily_unavailable" }],
    [401, { error: "invalid_client" }],
  ])("does not end with %d %j, which says nothing about its token", async (status, json) => {
    const { bench, credentials } = newAccount(scene, kind);
    const connected = await bench.connect(credentials);
    bench.network.faults.add({ kind: "refuse", operation, answer: { status, json }, times: 9 });
    expect(await failure(renew({ bench, connected }))).toMatchObject({ code: "network_error" });
  });

  it("cannot be renewed without a refresh token", async () => {
    const { bench, credentials } = newAccount(scene, kind);
    const { refresh_token: _, ...given } = credentials;
    const connected = await bench.connect(given);
    expect(await failure(renew({ bench, connected }))).toMatchObject({ code: "reauthentication_required" });
  });
});
