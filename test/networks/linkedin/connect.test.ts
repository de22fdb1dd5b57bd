import { describe, expect, it } from "vitest";
import { linkedin } from "../../../src/networks/linkedin/index.ts";
import { browserOf, visit } from "../browser.ts";
import { failure, inspect, logIn, renew, revoke } from "../desk.ts";
import { formOf, seenOf } from "../seen.ts";
import {
  communityApp,
  connectedMember,
  connectedOrganization,
  credentialsOf,
  linkedinBench,
  memberOn,
  organizationOn,
  shareApp,
} from "./bench.ts";

const dayMs = 86_400_000;

describe("connecting LinkedIn with an existing token", () => {
  it("finds a member, without a handle, with a self-serve app's scopes", async () => {
    const { bench, connected } = await connectedMember();
    expect(connected.profile).toMatchObject({
      external_id: expect.stringMatching(/^urn:li:person:[\w-]+$/),
      handle: null,
      url: null,
      account_facts: { scopes: ["openid", "profile", "email", "w_member_social"] },
    });
    expect(bench.seen.map(({ operation }) => operation)).toEqual(["userinfo"]);
  });

  it("finds a member with handle and URL for an app without OpenID", async () => {
    const bench = linkedinBench();
    const tokens = bench.network.addMember({ name: "Bea Doe", product: "community_management" });
    const { profile } = await bench.connect(credentialsOf(tokens));
    expect(profile).toMatchObject({ handle: "bea-doe", url: "https://www.linkedin.com/in/bea-doe" });
    expect(profile.external_id).toBe(tokens.external_id);
  });

  it("tries both ways if the token's scopes are unknown", async () => {
    const bench = linkedinBench();
    const { access_token } = bench.network.addMember({ name: "Bea Doe", product: "community_management" });
    const { profile } = await bench.connect({ access_token });
    expect(profile).toMatchObject({ handle: "bea-doe", account_facts: { scopes: null } });
  });

  it("names the missing scope if neither way works", async () => {
    const bench = linkedinBench();
    const { access_token } = bench.network.addMember({ name: "Bea", scopes: ["w_member_social"] });
    expect(await failure(logIn(bench, { access_token }))).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^access_token: it lacks openid/),
    });
  });

  it("finds an organisation by its number or its full name, and keeps the number as a string", async () => {
    const bench = linkedinBench();
    const given = organizationOn(bench.network, "Bakers & Sons");
    const number = String(given.organization_id).replace("urn:li:organization:", "");
    expect(Number(number)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
    for (const organization_id of [number, `urn:li:organization:${number}`]) {
      const { identity } = await logIn(bench, { ...given, organization_id });
      expect(identity).toMatchObject({
        external_id: `urn:li:organization:${number}`,
        handle: "bakers-sons",
        url: "https://www.linkedin.com/company/bakers-sons",
        avatar_url: `https://media.licdn.com/dms/image/${number}?e=1800000000`,
      });
    }
  });

  it.each([
    ["that has no logo", null, []],
    ["whose logo LinkedIn does not return", undefined, [400, 403, 426, 429]],
  ] as const)("connects an organisation %s without an image", async (_, logo, refusals) => {
    const bench = linkedinBench();
    const member = bench.network.addMember({ name: "Bea", product: "community_management" });
    const roles = { [member.external_id]: "ADMINISTRATOR" } as const;
    const organization_id = bench.network.addOrganization({ name: "Bakers", roles, ...(logo === null && { logo }) });
    for (const status of [0, ...refusals]) {
      if (status > 0) bench.network.faults.add({ kind: "refuse", operation: "logo", answer: { status, text: "" } });
      const { identity } = await logIn(bench, { ...credentialsOf(member), organization_id });
      expect(identity.avatar_url === null).toBe(logo === null || status > 0);
    }
  });

  it.each(["ANALYST", "RECRUITING_POSTER"] as const)(
    "rejects an organisation for which the member is only %s",
    async (role) => {
      const bench = linkedinBench();
      const member = bench.network.addMember({ name: "Bea", product: "community_management" });
      const other = bench.network.addOrganization({ name: "Open", roles: { [member.external_id]: "ADMINISTRATOR" } });
      const closed = bench.network.addOrganization({ name: "Closed", roles: { [member.external_id]: role } });
      const given = { ...credentialsOf(member), organization_id: closed };
      expect(await failure(logIn(bench, given))).toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining(other.replace("urn:li:organization:", "")),
      });
    },
  );

  it.each([
    ["w_member_social", ["openid", "profile"], {}],
    ["w_organization_social", ["r_basicprofile", "w_member_social"], { organization_id: "1" }],
  ])("names %s if the token lacks it", async (scope, scopes, more) => {
    const bench = linkedinBench();
    const { access_token } = bench.network.addMember({ name: "Bea" });
    expect(await failure(logIn(bench, { access_token, scopes, ...more }))).toMatchObject({
      code: "invalid_request",
      message: `scopes: the token lacks ${scope}. Sign in again and allow it.`,
    });
  });

  it("reports an invalid refresh token", async () => {
    const bench = linkedinBench();
    const given = { ...organizationOn(bench.network), access_token: "wrong", refresh_token: "wrong" };
    expect(await failure(logIn(bench, given))).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^refresh_token: /),
    });
  });

  it("renews an expired token before any other request", async () => {
    const bench = linkedinBench();
    const given = organizationOn(bench.network);
    bench.network.expireTokens();
    const { credentials, identity } = await logIn(bench, given);
    expect(identity.external_id).toBe(given.organization_id);
    expect(credentials.secret.access_token).not.toBe(given.access_token);
    expect(credentials.expires_at).toBe(bench.clock.now() + 60 * dayMs);
  });
});

describe("a check of a LinkedIn account", () => {
  it("reports it as unavailable once the member has lost the role", async () => {
    const desk = await connectedOrganization();
    const { bench, connected } = desk;
    await expect(inspect(desk)).resolves.toMatchObject({ external_id: connected.profile.external_id });
    const [member] = bench.seen.flatMap(({ answer }) => {
      const { elements } = (answer?.json ?? {}) as { elements?: { roleAssignee?: string }[] };
      return elements?.flatMap(({ roleAssignee }) => roleAssignee ?? []) ?? [];
    });
    bench.network.setRole(connected.profile.external_id, member ?? "", "ANALYST");
    expect(await failure(inspect(desk))).toMatchObject({ code: "profile_unavailable" });
  });
});

describe("a renewal at LinkedIn", () => {
  it("sends the app's secret in the form", async () => {
    const desk = await connectedOrganization();
    const { refresh_token } = desk.connected.secret();
    await renew(desk);
    const [sent] = seenOf(desk.bench, "token");
    expect(formOf(sent)).toEqual({ ...communityApp, grant_type: "refresh_token", refresh_token });
  });

  it("is possible for a year after the sign-in, however often it happens", async () => {
    const desk = await connectedOrganization();
    for (let round = 0; round < 7; round++) {
      await desk.bench.clock.advance(50 * dayMs);
      await renew(desk);
    }
    await desk.bench.clock.advance(16 * dayMs);
    expect(await failure(renew(desk))).toMatchObject({ code: "reauthentication_required" });
  });

  it("is not possible with a self-serve app's tokens", async () => {
    expect(await failure(renew(await connectedMember()))).toMatchObject({ code: "reauthentication_required" });
  });
});

describe("disconnecting a LinkedIn account", () => {
  it("revokes a token of the host's own app", async () => {
    const { bench, connected } = await connectedOrganization();
    await revoke({ bench, connected });
    const [sent] = seenOf(bench, "revoke");
    expect(formOf(sent).token).toBe(connected.secret().access_token);
  });

  it("does not revoke one of another or an unknown app", async () => {
    const bench = linkedinBench();
    const { client_id: _, ...unknown } = memberOn(bench.network);
    for (const given of [memberOn(bench.network, "Bea"), unknown]) {
      const connected = await bench.connect(given);
      await revoke({ bench, connected });
    }
    expect(bench.seen.map(({ operation }) => operation)).not.toContain("revoke");
  });
});

describe("a browser sign-in at LinkedIn", () => {
  it("requests only a self-serve app's scopes, and returns only the member", async () => {
    const bench = linkedinBench({ app: shareApp });
    bench.network.addMember({ name: "Alice Doe" });
    const { page, concealed, finish } = await visit(bench, "Allow as Alice Doe");
    expect(page.origin + page.pathname).toBe("https://www.linkedin.com/oauth/v2/authorization");
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: "code",
      client_id: shareApp.client_id,
      redirect_uri: "https://app.example.com/connect/linkedin/callback",
      state: "the-state",
      scope: "openid profile w_member_social",
    });
    const choices = await finish();
    expect(choices).toMatchObject([{ name: "Alice Doe", handle: null }]);
    const connected = await bench.connect(choices[0]?.credentials ?? {});
    expect(connected.profile.external_id).toBe(choices[0]?.id);
    expect(JSON.stringify(concealed)).toContain(String(connected.secret().access_token));
  });

  it("returns a member and the organisations that the member may post for, on one grant", async () => {
    const bench = linkedinBench();
    const { external_id } = bench.network.addMember({ name: "Alice Doe" });
    const roles = (role: "ADMINISTRATOR" | "CONTENT_ADMINISTRATOR" | "ANALYST") => ({ [external_id]: role });
    bench.network.addOrganization({ name: "Bakers", roles: roles("ADMINISTRATOR") });
    bench.network.addOrganization({ name: "Millers", roles: roles("CONTENT_ADMINISTRATOR") });
    bench.network.addOrganization({ name: "Watchers", roles: roles("ANALYST") });
    const { finish } = await visit(bench, "Allow as Alice Doe");
    const choices = await finish();
    expect(choices.map(({ name, handle }) => [name, handle])).toEqual([
      ["Alice Doe", "alice-doe"],
      ["Bakers", "bakers"],
      ["Millers", "millers"],
    ]);
    const logins = await Promise.all(choices.map(({ credentials }) => logIn(bench, credentials)));
    expect(logins.map(({ identity }) => identity.external_id)).toEqual(choices.map(({ id }) => id));
    expect(new Set(logins.map(({ credentials }) => credentials.grant_id)).size).toBe(1);
    expect(new Set(logins.map(({ credentials }) => credentials.secret.access_token)).size).toBe(1);
    expect(logins[0]?.credentials.expires_at).toBe(bench.clock.now() + 60 * dayMs);
  });

  it("reads scopes with any separator", async () => {
    for (const scope of ["openid,profile,w_member_social", "openid%20profile%20w_member_social"]) {
      const bench = linkedinBench({ app: shareApp });
      const tokens = bench.network.addMember({ name: "Alice Doe" });
      const json = { access_token: tokens.access_token, expires_in: 5_184_000, scope };
      const { finish } = await visit(bench, "Allow as Alice Doe");
      bench.network.faults.add({ kind: "refuse", operation: "token", answer: { status: 200, json } });
      await expect(finish()).resolves.toHaveLength(1);
    }
  });

  it("names a scope that was not granted", async () => {
    const bench = linkedinBench({ app: shareApp });
    bench.network.addMember({ name: "Alice Doe" });
    const { finish } = await visit(bench, "Allow as Alice Doe, but not w_member_social");
    expect(await failure(finish())).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("w_member_social"),
    });
  });

  it("fails after half an hour, and works only once", async () => {
    const bench = linkedinBench({ app: shareApp });
    bench.network.addMember({ name: "Alice Doe" });
    const late = await visit(bench, "Allow as Alice Doe");
    await bench.clock.advance(1_801_000);
    expect(await failure(late.finish())).toMatchObject({ reason: "login_failed" });
    const twice = await visit(bench, "Allow as Alice Doe");
    await twice.finish();
    expect(await failure(twice.finish())).toMatchObject({ reason: "login_failed" });
  });

  it("reports LinkedIn's own words if it was refused, or requested scopes that the app does not have", async () => {
    const bench = linkedinBench({ app: shareApp, product: "community_management" });
    bench.network.addMember({ name: "Alice Doe" });
    const unknown = await visit(bench, "Allow as Alice Doe");
    const known = linkedinBench({ app: shareApp });
    known.network.addMember({ name: "Alice Doe" });
    const refused = await visit(known, "Refuse");
    const words = [unknown, refused].map(({ back }) => back.searchParams.get("error") ?? "");
    expect(words).toEqual(["unauthorized_scope_error", "user_cancelled_authorize"]);
    expect(words.map((word) => browserOf(bench).errors?.[word])).toEqual(["app_refused", "access_denied"]);
  });

  it("needs an app", () => {
    expect(linkedin().connect.browser).toBeUndefined();
    expect(() => linkedin({ app: { client_id: "only" } as never })).toThrow();
    expect(() => linkedin({ product: "marketing" as never })).toThrow(/self_serve/);
    expect(() => linkedin({ apiVersion: "202512" as never })).toThrow(/202609/);
  });
});
