import { describe, expect, it } from "vitest";
import type { Connector } from "../../src/networks/contract/adapter.ts";
import type { Credentials } from "../../src/networks/contract/profile.ts";
import type { NetworkContext } from "../../src/networks/contract/request.ts";
import { createAppLimits } from "../../src/networks/runtime/app-limits.ts";
import { NetworkRefusal } from "../../src/networks/runtime/session.ts";
import { createOutbound } from "../../src/outbound/http.ts";
import { createEvents } from "../../src/ports/events.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { createVault } from "../../src/ports/vault.ts";
import { type OpenCredentials, openCredentials, placeOfSecret } from "../../src/profiles/credentials.ts";
import type { ProfileState } from "../../src/profiles/rows.ts";
import type { EventPayloads } from "../../src/service.ts";
import { createOutbox } from "../../src/webhooks/outbox.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { LeaseLost } from "../../src/work/lease.ts";
import { fakeAdapter, ownHost } from "../networks/fake-network.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import { type ProfileStore, profileRow, profileState, profileStore } from "./profile-row.ts";

const epoch = 4;
const me = { method: "GET", url: `https://${ownHost}/me` } as const;
const vault = createVault([testKey], randomIds);
const place = placeOfSecret(profileRow());

interface Bench extends ProfileStore {
  credentials: OpenCredentials;
  /** The tokens that signed requests. */
  tokens: (string | null)[];
  attention: EventPayloads["profile.needs_attention"][];
  /** The token in the store now. */
  storedToken(): Promise<unknown>;
  /** The durations for which the lease was extended, milliseconds. */
  ensured: number[];
}

/** A held profile whose access token is "old"; the network accepts only tokens in `valid`. */
async function bench(
  options: { refresh?: Connector["refresh"]; state?: Partial<ProfileState>; valid?: readonly string[] } = {},
): Promise<Bench> {
  const { refresh, state, valid = ["new"] } = options;
  const secret = vault.seal({ access: "old", refresh: "r1" }, place);
  const store = await profileStore({ epoch, private: profileState({ secret, ...state }) });
  const { clock, storage } = store;
  const tokens: (string | null)[] = [];
  const ensured: number[] = [];
  const http: typeof fetch = async (_, init) => {
    const token = new Headers(init?.headers).get("authorization")?.replace("Bearer ", "") ?? null;
    tokens.push(token);
    await clock.sleep(100);
    return valid.includes(token ?? "") ? Response.json({ ok: true }) : new Response(null, { status: 401 });
  };
  const events = createEvents<EventPayloads>(silentLogger);
  const attention: Bench["attention"] = [];
  events.on("profile.needs_attention", (payload) => attention.push(payload));
  const openMedia = async () => {
    throw new Error("there is no media");
  };
  const outbound = createOutbound({ http, untrustedHttp: http, clock });
  const hold = { epoch, now: () => clock.now(), ensure: async (ms: number) => void ensured.push(ms) };
  const adapter = fakeAdapter(refresh === undefined ? {} : { refresh });
  const session = { outbound, clock, ids: randomIds, openMedia, appLimits: createAppLimits() };
  const outbox = createOutbox({ storage, ids: randomIds, events, wake: () => {} });
  const ports = { storage, vault, outbox, session, logger: silentLogger };
  return {
    ...store,
    credentials: openCredentials(await store.read(), { adapter, hold, ports }),
    tokens,
    attention,
    ensured,
    async storedToken() {
      const { secret: sealed } = (await store.read()).private;
      return sealed === null ? null : vault.open(sealed, place).access;
    },
  };
}

function renewed(access = "new", expires_at: number | null = null): Credentials {
  return { secret: { access, refresh: "r2" }, expires_at };
}

const dead = () => new PublishingError("reauthentication_required", "The network says no.");

describe("a profile's credentials", () => {
  it("open to the sealed value, and sign requests", async () => {
    const { credentials, tokens, clock } = await bench({ valid: ["old"] });
    expect(credentials.secret()).toEqual({ access: "old", refresh: "r1" });
    await clock.run(() => credentials.context.request(me));
    expect(tokens).toEqual(["old"]);
  });

  it("are empty once they are destroyed", async () => {
    const { credentials } = await bench({ state: { secret: null } });
    expect(credentials.secret()).toEqual({});
  });

  it("keep the profile claimed while a request runs", async () => {
    const { credentials, ensured, clock } = await bench({ valid: ["old"] });
    await clock.run(() => credentials.context.request(me));
    expect(ensured).toHaveLength(1);
  });
});

describe("renewing", () => {
  it("stores the new credentials with their expiry, sealed", async () => {
    const expires_at = Date.parse("2026-11-21T13:00:00.000Z");
    const given = await bench({ refresh: async () => renewed("new", expires_at) });
    await given.credentials.renew();
    expect(await given.storedToken()).toBe("new");
    const row = await given.read();
    expect(row).toMatchObject({ token_expires_at: "2026-11-21T13:00:00.000Z", private: { expires_at } });
    expect(JSON.stringify(row)).not.toContain("new");
    expect(given.credentials.profile()).toEqual(row);
    expect(given.credentials.secret()).toEqual({ access: "new", refresh: "r2" });
  });

  it("leaves the profile's other state unchanged", async () => {
    const state = { host: "alice.example", account_facts: { a: 1 }, limited_until: 99 };
    const given = await bench({ refresh: async () => renewed(), state });
    await given.credentials.renew();
    expect((await given.read()).private).toMatchObject(state);
  });

  it("uses the new credentials only once they are stored", async () => {
    const given = await bench({ refresh: async () => renewed() });
    await given.change({ epoch: epoch + 1 });
    await expect(given.credentials.renew()).rejects.toBeInstanceOf(LeaseLost);
    expect(given.credentials.secret()).toMatchObject({ access: "old" });
    expect(await given.storedToken()).toBe("old");
    expect(given.attention).toEqual([]);
  });

  it("happens in the middle of a read, which then continues", async () => {
    const given = await bench({ refresh: async () => renewed() });
    const response = await given.clock.run(() => given.credentials.context.request(me));
    expect(response.body).toEqual({ ok: true });
    expect(given.tokens).toEqual(["old", "new"]);
    expect(await given.storedToken()).toBe("new");
  });

  it("by a request that is itself refused causes no further renewal", async () => {
    let refreshes = 0;
    const given = await bench({
      async refresh(context: NetworkContext) {
        refreshes += 1;
        await context.request(me);
        return renewed();
      },
    });
    await expect(given.clock.run(() => given.credentials.renew())).rejects.toMatchObject({
      code: "reauthentication_required",
    });
    expect(refreshes).toBe(1);
    expect(given.tokens).toEqual(["old"]);
  });
});

describe("credentials that the network no longer accepts", () => {
  it("mark the profile as one that needs attention, with one event", async () => {
    const given = await bench({ refresh: () => Promise.reject(dead()) });
    await expect(given.credentials.renew()).rejects.toMatchObject({ code: "reauthentication_required" });
    const row = await given.read();
    expect(row.status).toBe("needs_attention");
    expect(row.status_reason).toBe("Example no longer accepts this profile's credentials. Reconnect the profile.");
    expect(given.attention).toHaveLength(1);
    expect(given.attention[0]).toMatchObject({
      account_id: "acct_1",
      profile: { id: "prof_1", status: "needs_attention", status_reason: row.status_reason },
    });
    expect(JSON.stringify(given.attention)).not.toContain("secret");
  });

  it("are not tried a second time, and no second event is emitted", async () => {
    let refreshes = 0;
    const given = await bench({
      refresh() {
        refreshes += 1;
        return Promise.reject(dead());
      },
    });
    for (let count = 0; count < 3; count++) {
      await expect(given.credentials.renew()).rejects.toMatchObject({ code: "reauthentication_required" });
    }
    expect(refreshes).toBe(1);
    expect(given.attention).toHaveLength(1);
  });

  it("emit no event when the profile was disconnected meanwhile", async () => {
    const given = await bench({ refresh: () => Promise.reject(dead()) });
    await given.change({ status: "disconnected" });
    await expect(given.credentials.renew()).rejects.toMatchObject({ code: "reauthentication_required" });
    expect((await given.read()).status).toBe("disconnected");
    expect(given.attention).toEqual([]);
  });

  it("write nothing when another process now holds the profile", async () => {
    const given = await bench({ refresh: () => Promise.reject(dead()) });
    await given.change({ epoch: epoch + 1 });
    await expect(given.credentials.renew()).rejects.toMatchObject({ code: "reauthentication_required" });
    expect((await given.read()).status).toBe("connected");
    expect(given.attention).toEqual([]);
  });

  it("are dead even where the network has no way to renew them", async () => {
    const given = await bench();
    await expect(given.credentials.renew()).rejects.toMatchObject({ code: "reauthentication_required" });
    expect((await given.read()).status).toBe("needs_attention");
  });
});

describe("a renewal with a passing failure", () => {
  it.each([
    [
      "an inconclusive response",
      new NetworkRefusal({ effect: "unknown", code: "network_error", message: "503", networkMessage: "", status: 503 }),
    ],
    [
      "a rate limit",
      new NetworkRefusal({
        effect: "later",
        remedy: "rate_limit",
        retryAt: null,
        scope: "profile",
        code: "network_error",
        message: "429",
        networkMessage: "",
        status: 429,
      }),
    ],
    ["another publishing error", new PublishingError("profile_unavailable", "suspended")],
    ["an internal error", new TypeError("oops")],
  ])("by %s is not a revocation", async (_, error) => {
    const given = await bench({ refresh: () => Promise.reject(error) });
    await expect(given.credentials.renew()).rejects.toBe(error);
    expect((await given.read()).status).toBe("connected");
    expect(await given.storedToken()).toBe("old");
    expect(given.attention).toEqual([]);
  });

  it("may be retried", async () => {
    let refreshes = 0;
    const given = await bench({
      async refresh() {
        refreshes += 1;
        if (refreshes === 1) throw new TypeError("oops");
        return renewed();
      },
    });
    await expect(given.credentials.renew()).rejects.toThrow("oops");
    await given.credentials.renew();
    expect(given.credentials.secret()).toMatchObject({ access: "new" });
  });
});

describe("credentials that would expire during a request of 30 s", () => {
  it.each([
    { endsInMs: 89_999, renewals: 1 },
    { endsInMs: 90_000, renewals: 0 },
    { endsInMs: -1, renewals: 1 },
    { endsInMs: null, renewals: 0 },
  ])("are renewed ahead of time: expiring in $endsInMs ms, $renewals times", async ({ endsInMs, renewals }) => {
    let refreshes = 0;
    const now = Date.parse("2026-11-21T12:00:00.000Z");
    const given = await bench({
      state: { expires_at: endsInMs === null ? null : now + endsInMs },
      async refresh() {
        refreshes += 1;
        return renewed("new", now + 3_600_000);
      },
    });
    expect(given.clock.now()).toBe(now);
    await given.credentials.outlive(30_000);
    await given.credentials.outlive(30_000);
    expect(refreshes).toBe(renewals);
  });

  it("are used until they expire where the network has no way to renew them", async () => {
    const given = await bench({ state: { expires_at: 1 } });
    await given.credentials.outlive(30_000);
    expect((await given.read()).status).toBe("connected");
  });
});

describe("the state of a profile", () => {
  it("changes without touching the credentials", async () => {
    const given = await bench();
    await given.credentials.save({ limited_until: 5 });
    expect((await given.read()).private.limited_until).toBe(5);
    expect(given.credentials.profile().private.limited_until).toBe(5);
    expect(await given.storedToken()).toBe("old");
  });

  it("is written only by the holder", async () => {
    const given = await bench();
    await given.change({ epoch: epoch + 1 });
    await expect(given.credentials.save({ limited_until: 5 })).rejects.toBeInstanceOf(LeaseLost);
    expect((await given.read()).private.limited_until).toBeNull();
  });
});

describe("several concurrent requests", () => {
  it("share one renewal: a refresh token may be valid for one use only", async () => {
    let refreshes = 0;
    const given = await bench({
      async refresh(context) {
        refreshes += 1;
        if (refreshes > 1) throw dead();
        await context.request({ ...me, accept: [401] });
        return renewed();
      },
    });
    const { credentials, clock } = given;
    await clock.run(() => Promise.all([1, 2, 3].map(() => credentials.context.request(me))));
    expect((await given.read()).status).toBe("connected");
    expect(await given.storedToken()).toBe("new");
  });

  it("do not renew again when the refusal of an older token arrives late", async () => {
    let refreshes = 0;
    const given = await bench({
      async refresh() {
        refreshes += 1;
        return renewed();
      },
    });
    const { credentials, clock } = given;
    const late = async () => {
      await clock.sleep(50);
      return credentials.context.request(me);
    };
    await clock.run(() => Promise.all([credentials.context.request(me), late()]));
    expect(refreshes).toBe(1);
    expect(given.tokens).toEqual(["old", "old", "new", "new"]);
  });

  it("save their changes one after the other, so that none is overwritten", async () => {
    const { credentials, read } = await bench();
    await Promise.all([credentials.save({ account_facts: { a: 1 } }), credentials.save({ limited_until: 5 })]);
    expect((await read()).private).toMatchObject({ account_facts: { a: 1 }, limited_until: 5 });
    expect(credentials.profile()).toEqual(await read());
  });

  it("continue to save after a failed save", async () => {
    const { credentials, change, read } = await bench();
    await change({ epoch: epoch + 1 });
    const failing = credentials.save({ limited_until: 5 });
    await expect(failing).rejects.toBeInstanceOf(LeaseLost);
    await change({ epoch });
    await credentials.save({ limited_until: 6 });
    expect((await read()).private.limited_until).toBe(6);
  });
});
