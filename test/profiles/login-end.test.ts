import { describe, expect, it } from "vitest";
import type { StartedConnection } from "../../src/connections/schema.ts";
import { linkedin } from "../../src/networks/linkedin/index.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createRest, type Rest } from "../http/rest.ts";
import { type LoginRow, loginRows, type Preparation, preparationOf } from "../real/connect-rows.ts";
import { callbackOf, click, comeBack, ownPage, pageOf } from "../support/login.ts";

const dayMs = 86_400_000;

interface Connected extends Rest {
  profiles: Profile[];
  /** The events that the host received, in order. */
  told: string[];
}

/** Connects all accounts of a sign-in in the browser, at a separate host. */
async function logIn(row: LoginRow, prepare: Preparation["prepare"], before?: (sandbox: Sandbox) => void) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  before?.(sandbox);
  const networks = [prepare(sandbox, callbackOf(row.network))];
  const rest = await createRest({ clock, networks, http: sandbox.http, untrustedHttp: sandbox.untrustedHttp });
  const told: string[] = [];
  rest.social.on("profile.needs_attention", ({ profile }) => void told.push(profile.name));
  const json = { network: row.network, redirect_url: ownPage, login: row.fields };
  const started = await rest.send("POST", "/v1/profiles/connect", { json });
  expect(started.status, started.text).toBe(201);
  const { authorization_url, connection_id } = started.body.data as StartedConnection;
  const page = pageOf(await comeBack(rest, await click(sandbox, authorization_url, row.allow)));
  const path = `/v1/profiles/connect/${connection_id}`;
  const code = page.searchParams.get("code");
  const { options } = (await rest.send("GET", `${path}?code=${code}`)).body.data as { options: { id: string }[] };
  const option_ids = options.map(({ id }) => id);
  const finished = await rest.send("POST", path, { json: { code, option_ids } });
  expect(finished.status, finished.text).toBe(201);
  return {
    ...rest,
    sandbox,
    told,
    profiles: (finished.body.data as { profiles: Profile[] }).profiles,
  } satisfies Connected;
}

/** Lets days pass in which a cron job runs due work, and nothing else happens. */
async function pass({ clock, social }: Pick<Rest, "clock" | "social">, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await clock.advance(dayMs);
    await clock.run(() => social.runDue());
  }
}

const rowOf = (name: string): LoginRow => {
  const row = loginRows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no login of ${name}`);
  return row;
};

/** @param given receives the member's own token */
function selfServeOf(given: (access_token: string) => void): Preparation["prepare"] {
  return (sandbox, callback) => {
    given(sandbox.linkedin.addMember({ name: "Fay Doe" }).access_token);
    const app = { client_id: "app-2", client_secret: "app-secret-2" };
    sandbox.linkedin.addApp({ ...app, redirect_uris: [callback] }, "self_serve");
    return linkedin({ app });
  };
}

const selfServe = selfServeOf(() => {});

/** Connections that end however often they are renewed, and after how many days. */
const ending: readonly {
  login: string;
  row: LoginRow;
  days: number;
  prepare?: Preparation["prepare"];
  before?: (sandbox: Sandbox) => void;
}[] = [
  { login: "LinkedIn without refresh tokens", row: rowOf("LinkedIn"), days: 60, prepare: selfServe },
  { login: "LinkedIn for a partner", row: rowOf("LinkedIn"), days: 365 },
  { login: "Facebook", row: rowOf("Facebook"), days: 90 },
  {
    login: "YouTube with an app in testing",
    row: rowOf("YouTube"),
    days: 7,
    before: ({ youtube }) => youtube.setTesting(true),
  },
  {
    login: "Google Business Profile with an app in testing",
    row: rowOf("Google Business Profile"),
    days: 7,
    before: ({ google_business }) => google_business.setTesting(true),
  },
];

describe("a connection that ends however often it is renewed", () => {
  it.each(ending)("on $login gives its end, and needs attention after it", async ({ row, days, prepare, before }) => {
    const on = await logIn(row, prepare ?? preparationOf(row).prepare, before);
    const ends = on.profiles.map(({ reconnect_by }) => (Date.parse(reconnect_by ?? "") - on.clock.now()) / dayMs);
    expect(ends.map(Math.round)).toEqual(on.profiles.map(() => days));

    await pass(on, days - 1);
    expect(on.told).toEqual([]);
    const soon = new Date(on.clock.now() + 2 * dayMs).toISOString();
    const listed = async (reconnect_before: string) => (await on.social.profiles.list({ reconnect_before })).data;
    expect((await listed(soon)).map(({ id }) => id).sort()).toEqual(on.profiles.map(({ id }) => id).sort());
    expect(await listed(new Date(on.clock.now()).toISOString())).toEqual([]);

    await pass(on, 2);
    expect(on.told.sort()).toEqual(on.profiles.map(({ name }) => name).sort());
    const { data } = await on.social.profiles.list({ status: "needs_attention" });
    expect(data).toHaveLength(on.profiles.length);
  });
});

describe("a connection that can be renewed without limit", () => {
  const lasting = loginRows.filter(({ network }) => !["linkedin", "facebook", "bluesky"].includes(network));

  it.each(lasting)("on $name gives no end that it outlives", async (row) => {
    const on = await logIn(row, preparationOf(row).prepare);
    await pass(on, 200);
    for (const { id } of on.profiles) {
      const { status, reconnect_by } = await on.social.profiles.get(id);
      expect(status).toBe("connected");
      if (reconnect_by !== null) expect(Date.parse(reconnect_by)).toBeGreaterThan(on.clock.now());
    }
    expect(on.told).toEqual([]);
  });
});

describe("a connection whose end has come", () => {
  const end = 60;

  it("and that still works no longer has a known end", async () => {
    const on = await logIn(rowOf("LinkedIn"), selfServe);
    const [profile] = on.profiles;
    const early = { reconnect_by: new Date(on.clock.now() + dayMs).toISOString() };
    await on.storage.write([
      { kind: "update", collection: "profiles", id: profile?.id ?? "", change: { ...early, due_at: 0 }, where: {} },
    ]);
    await pass(on, 3);
    expect(await on.social.profiles.get(profile?.id ?? "")).toMatchObject({ status: "connected", reconnect_by: null });
    expect(on.told).toEqual([]);
  });

  it("is checked again after an hour while the network is failing", async () => {
    const on = await logIn(rowOf("LinkedIn"), selfServe);
    await pass(on, end);
    on.sandbox.linkedin.faults.add({ kind: "refuse", answer: { status: 503, text: "busy" }, times: 20 });
    await on.clock.advance(2 * 60_000);
    await on.clock.run(() => on.social.runDue());
    expect(on.told).toEqual([]);
    const row = await on.storage.get("profiles", on.profiles[0]?.id ?? "");
    expect(row?.due_at).toBeGreaterThan(on.clock.now() + 3_000_000);
    on.sandbox.linkedin.faults.clear();
    await on.clock.advance(3_600_000);
    await on.clock.run(() => on.social.runDue());
    expect(on.told).toEqual(["Fay Doe"]);
  });

  it("loses its end when the profile is disconnected, and gets a new one when it is reconnected", async () => {
    let access_token = "";
    const prepare = selfServeOf((token) => {
      access_token = token;
    });
    const on = await logIn(rowOf("LinkedIn"), prepare);
    const id = on.profiles[0]?.id ?? "";
    await pass(on, 10);
    const credentials = { access_token, expires_at: new Date(on.clock.now() + end * dayMs).toISOString() };
    await on.clock.run(() => on.social.profiles.connect({ network: "linkedin", credentials, profile_id: id }));
    expect((await on.social.profiles.get(id)).reconnect_by).toBe(credentials.expires_at);
    await on.clock.run(() => on.social.profiles.disconnect(id));
    expect((await on.social.profiles.get(id)).reconnect_by).toBeNull();
    await pass(on, end + 5);
    expect(on.told).toEqual([]);
  });

  it("gets a later end when its user used the app again, which a check detects", async () => {
    const on = await logIn(rowOf("Facebook"), preparationOf(rowOf("Facebook")).prepare);
    const { id, reconnect_by } = on.profiles[0] as Profile;
    const late = "2027-11-02T00:00:00.000Z";
    const change = { reconnect_by: late, due_at: Date.parse(late) };
    await on.storage.write([{ kind: "update", collection: "profiles", id, change, where: {} }]);
    expect((await on.clock.run(() => on.social.profiles.check(id))).reconnect_by).toBe(reconnect_by);
    await pass(on, 92);
    expect(on.told.sort()).toEqual(on.profiles.map(({ name }) => name).sort());
  });
});

it("the list rejects a filter that is no time, and names it", async () => {
  const on = await logIn(rowOf("LinkedIn"), selfServe);
  const answer = await on.send("GET", "/v1/profiles?reconnect_before=tomorrow");
  expect([answer.status, answer.body.error?.details?.[0]?.field]).toEqual([400, "reconnect_before"]);
});
