import { describe, expect, it } from "vitest";
import { google_business } from "../../../src/networks/google_business/index.ts";
import { manage } from "../../../src/networks/google_business/scopes.ts";
import { visit } from "../browser.ts";
import { inspect, logIn, renew } from "../desk.ts";
import { app, connectedBench, credentials, googleBusinessBench } from "./bench.ts";

describe("connecting Google Business with tokens", () => {
  it("learns the location, and the account that contains it", async () => {
    const on = googleBusinessBench();
    const { account, locations, access_token, refresh_token } = on.network.addPerson({ titles: ["Bakery"] });
    const { identity, credentials: kept } = await logIn(on, { access_token, refresh_token });
    expect(identity).toMatchObject({
      external_id: locations[0],
      name: "Bakery",
      handle: null,
      url: expect.stringMatching(/^https:\/\/maps\.google/),
      account_facts: { parent: account },
    });
    expect(kept).toEqual({
      secret: { access_token, refresh_token },
      expires_at: on.clock.now() + 3_599_000,
      refresh_at: on.clock.now() + 90 * 86_400_000,
    });
  });

  it("requires a choice among several locations, and connects the chosen one", async () => {
    const on = googleBusinessBench();
    const { locations, access_token } = on.network.addPerson({ titles: ["One", "Two"] });
    await expect(logIn(on, { access_token })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^location: .*locations\/\d+, locations\/\d+/),
    });
    const [, location = ""] = locations;
    expect((await logIn(on, { access_token, location })).identity).toMatchObject({ name: "Two" });
    await expect(logIn(on, { access_token, location: "locations/1" })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^location: /),
    });
  });

  it("finds a location once, even if two accounts list it", async () => {
    const on = googleBusinessBench();
    const { account, ...person } = on.network.addPerson({ hasGroup: true });
    const { identity } = await logIn(on, { access_token: person.access_token });
    expect(identity.account_facts).toEqual({ parent: account });
  });

  it("reads many accounts and locations to the last page", async () => {
    const on = googleBusinessBench();
    const titles = Array.from({ length: 130 }, (_, index) => `Shop ${index}`);
    const { locations, access_token } = on.network.addPerson({ titles });
    const { identity } = await logIn(on, { access_token, location: locations.at(-1) ?? "" });
    expect(identity.name).toBe("Shop 129");
  });

  it("names a missing scope, and reports a user without a location", async () => {
    const on = googleBusinessBench();
    await expect(logIn(on, credentials(on, { scopes: [] }))).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(manage),
    });
    await expect(logIn(on, credentials(on, { titles: [] }))).rejects.toMatchObject({ code: "profile_unavailable" });
  });

  it.each([
    { access_token: "x", location: "1" },
    { access_token: "x", account: "me" },
  ])("rejects %j", (given) => {
    expect(google_business().connect.credentials.safeParse(given).success).toBe(false);
  });
});

describe("an expiring Google Business connection", () => {
  it("is renewed with the refresh token that Google does not repeat, and ends only if Google says so", async () => {
    const desk = await connectedBench();
    const { bench: on, connected } = desk;
    const before = connected.secret();
    on.network.expireTokens();
    await inspect(desk);
    expect(connected.secret()).toMatchObject({ refresh_token: before.refresh_token });
    expect(connected.secret().access_token).not.toBe(before.access_token);
    on.network.revoke("manager1@gmail.example");
    await expect(renew(desk)).rejects.toMatchObject({ code: "reauthentication_required" });
  });
});

describe("a browser sign-in at Google Business", () => {
  it("offers every location once; they share the user's grant", async () => {
    const on = googleBusinessBench();
    const { locations, account } = on.network.addPerson({ titles: ["One", "Two"], hasGroup: true });
    const { finish } = await visit(on, "Allow as manager1@gmail.example");
    const choices = await finish();
    expect(choices.map(({ id, name }) => [id, name])).toEqual([
      [locations[0], "One"],
      [locations[1], "Two"],
    ]);
    for (const { id, credentials: own } of choices) {
      const { identity, credentials: kept } = await logIn(on, own);
      expect(identity).toMatchObject({ external_id: id, app: app.client_id });
      expect(kept.grant_id).toBe(`${app.client_id}/${account}`);
    }
  });

  it("names an unticked scope, and reports that there is no location", async () => {
    const on = googleBusinessBench();
    on.network.addPerson();
    on.network.addPerson({ titles: [] });
    const unticked = await visit(on, `Allow as manager1@gmail.example, but not ${manage}`);
    await expect(unticked.finish()).rejects.toMatchObject({ reason: "missing_scope" });
    const empty = await visit(on, "Allow as manager2@gmail.example");
    await expect(empty.finish()).rejects.toMatchObject({ reason: "no_account" });
  });
});

it.each([{ app: { client_id: "x" } }, { scopes: [] }, { more: 1 }])(
  "the adapter rejects the settings %j",
  (settings) => {
    expect(() => google_business(settings as object)).toThrow();
  },
);
