import { type Clock, isoTime } from "../clock.ts";
import { PublishingError, SocialError } from "../errors.ts";
import type { ServiceEvents } from "../events.ts";
import type { Ids } from "../ids.ts";
import type { JsonObject } from "../json.ts";
import type { Identity, NetworkAdapter } from "../networks/adapter.ts";
import { createLoginContext, NetworkRefusal, type SessionPorts, toPublishingError } from "../networks/session.ts";
import type { NetworkId } from "../networks/spec.ts";
import { type Page, toPage } from "../pagination.ts";
import { fieldPath, parseInput } from "../parse.ts";
import { type Storage, StorageConflict } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { markNeedsAttention, openCredentials, placeOfSecret } from "./credentials.ts";
import { busyPatienceMs, busyPollMs, holdProfile } from "./hold.ts";
import type { ProfileRow } from "./rows.ts";
import {
  type ConnectProfile,
  connectProfileSchema,
  type ListProfiles,
  listProfilesSchema,
  type Profile,
  profileSchema,
} from "./schema.ts";
import type { Vault } from "./vault.ts";

/** The connected accounts of one account. */
export interface Profiles {
  /**
   * Connects an account with its credentials, or renews those of a profile
   * that is already there.
   *
   * @throws SocialError `invalid_request` naming the credential that is wrong
   */
  connect(body: ConnectProfile): Promise<Profile>;
  /** Newest first. */
  list(query?: ListProfiles): Promise<Page<Profile>>;
  /** @throws SocialError `not_found` */
  get(id: string): Promise<Profile>;
  /** Asks the network whether the credentials still work, and reads name and limits again. */
  check(id: string): Promise<Profile>;
  /** Stops publishing on it and destroys its credentials. Repeatable. */
  disconnect(id: string): Promise<Profile>;
}

export interface ProfilePorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  events: ServiceEvents;
  session: SessionPorts;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Works off what is due on a profile. */
  workProfile(profileId: string): Promise<void>;
}

export function createProfiles(ports: ProfilePorts, accountId: string): Profiles {
  const { storage } = ports;

  async function read(id: string): Promise<ProfileRow> {
    const row = await storage.get("profiles", id);
    const profile = row === null ? null : fromRow<ProfileRow>(row);
    if (profile === null || profile.account_id !== accountId) {
      throw new SocialError("not_found", "There is no such profile on this account.");
    }
    return profile;
  }

  return {
    async connect(body) {
      const { network, credentials, profile_id } = parseInput(connectProfileSchema, body);
      const adapter = adapterOf(ports, network);
      const wanted = profile_id == null ? null : await read(profile_id);
      const login = await logIn(ports, adapter, credentials);
      if (wanted !== null && (wanted.network !== network || wanted.external_id !== login.identity.external_id)) {
        const message = "These credentials belong to another account than the profile. Connect it as a new one.";
        throw invalidCredentials([{ field: "profile_id", message }]);
      }
      return storeLogin(ports, accountId, adapter, login);
    },
    async list(query = {}) {
      const { limit, offset, network, status } = parseInput(listProfilesSchema, query);
      const found = await storage.find("profiles", {
        where: {
          account_id: accountId,
          ...(network === undefined ? {} : { network }),
          ...(status === undefined ? {} : { status }),
        },
        limit,
        offset,
      });
      return toPage(
        found.rows.map((row) => toProfile(fromRow(row))),
        found.total,
        { limit, offset },
      );
    },
    get: async (id) => toProfile(await read(id)),
    async check(id) {
      const profile = await read(id);
      if (profile.status === "disconnected") return toProfile(profile);
      await checkProfile(ports, profile);
      return toProfile(await read(id));
    },
    async disconnect(id) {
      const profile = await read(id);
      if (profile.status !== "disconnected") await markDisconnected(ports, profile);
      await untilDestroyed(ports, id);
      return toProfile(await read(id));
    },
  };
}

function toProfile(row: ProfileRow): Profile {
  return profileSchema.parse(row);
}

function adapterOf(ports: ProfilePorts, network: NetworkId): NetworkAdapter {
  const adapter = ports.adapter(network);
  if (adapter === undefined) {
    const message = `The service was created without ${network}; add it to networks.`;
    throw new SocialError("invalid_request", message, { details: [{ field: "network", message }] });
  }
  return adapter;
}

type Login = Awaited<ReturnType<NetworkAdapter["connect"]["login"]>>;

async function logIn(ports: ProfilePorts, adapter: NetworkAdapter, input: JsonObject): Promise<Login> {
  const parsed = adapter.connect.credentials.safeParse(input);
  if (!parsed.success) {
    throw invalidCredentials(
      parsed.error.issues.map(({ path, message }) => ({
        field: path.length === 0 ? "credentials" : `credentials.${fieldPath(path)}`,
        message,
      })),
    );
  }
  try {
    return await adapter.connect.login(createLoginContext(adapter, ports.session), parsed.data);
  } catch (error) {
    const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
    if (!PublishingError.is(reason)) throw error;
    const { code, message } = reason;
    const details = [{ field: "credentials", network: adapter.spec.network, code, message }];
    throw new SocialError("invalid_request", message, { details, cause: reason });
  }
}

function invalidCredentials(details: { field: string; message: string }[]): SocialError {
  const fields = details.map(({ field }) => field).join(", ");
  return new SocialError("invalid_request", `The profile was not connected: ${fields}.`, { details });
}

/** Two connections of one account at once meet at most this often. */
const mostConflicts = 10;

async function storeLogin(
  ports: ProfilePorts,
  accountId: string,
  adapter: NetworkAdapter,
  login: Login,
): Promise<Profile> {
  const { external_id } = login.identity;
  const { network } = adapter.spec;
  for (let conflicts = 0; ; conflicts++) {
    const found = await ports.storage.find("profiles", {
      where: { account_id: accountId, network, external_id },
      limit: 1,
    });
    const known = found.rows[0] === undefined ? null : fromRow<ProfileRow>(found.rows[0]);
    try {
      const stored =
        known === null ? await insert(ports, accountId, adapter, login) : await renew(ports, adapter, known, login);
      // A renewal of what already worked is no news.
      if (known?.status !== "connected") {
        ports.events.emit("profile.connected", { account_id: accountId, profile: toProfile(stored) });
      }
      return toProfile(stored);
    } catch (error) {
      if (!(error instanceof StorageConflict) || conflicts >= mostConflicts) throw error;
    }
  }
}

async function insert(
  ports: ProfilePorts,
  accountId: string,
  adapter: NetworkAdapter,
  login: Login,
): Promise<ProfileRow> {
  const now = await ports.storage.now();
  const id = ports.ids.create("profile", now);
  const row: ProfileRow = {
    id,
    account_id: accountId,
    network: adapter.spec.network,
    created_at: isoTime(now),
    due_at: null,
    lease_until: 0,
    epoch: 0,
    ...fieldsOf(ports, adapter, login, { accountId, id, now }),
  };
  await ports.storage.write([{ kind: "insert", collection: "profiles", row: toRow(row) }]);
  return row;
}

/** New credentials are written under a hold, so that no refresh overwrites them with its own. */
async function renew(
  ports: ProfilePorts,
  adapter: NetworkAdapter,
  known: ProfileRow,
  login: Login,
): Promise<ProfileRow> {
  return holdProfile(ports, known.id, async (held, hold) => {
    const fields = fieldsOf(ports, adapter, login, { accountId: held.account_id, id: held.id, now: hold.now() });
    await ports.storage.write([
      {
        kind: "update",
        collection: "profiles",
        id: held.id,
        change: toChange(fields),
        where: { epoch: hold.epoch },
      },
    ]);
    return { ...held, ...fields };
  });
}

function fieldsOf(
  ports: ProfilePorts,
  adapter: NetworkAdapter,
  { identity, credentials }: Login,
  { accountId, id, now }: { accountId: string; id: string; now: number },
) {
  const { secret, expires_at } = credentials;
  return {
    ...identityFields(identity),
    status: "connected" as const,
    status_reason: null,
    token_expires_at: expires_at === null ? null : isoTime(expires_at),
    inbox: adapter.spec.inbox,
    updated_at: isoTime(now),
    last_checked_at: isoTime(now),
    private: {
      secret: ports.vault.seal(secret, placeOfSecret({ account_id: accountId, id })),
      expires_at,
      host: identity.host,
      known: identity.known,
      limited_until: null,
    },
  };
}

function identityFields({ external_id, name, handle, avatar_url, url, scopes, limits }: Identity) {
  return { external_id, name, handle, avatar_url, url, scopes, limits: limits as Profile["limits"] & typeof limits };
}

async function checkProfile(ports: ProfilePorts, profile: ProfileRow): Promise<void> {
  const adapter = adapterOf(ports, profile.network);
  await holdProfile(ports, profile.id, async (held, hold) => {
    const credentials = openCredentials(held, { adapter, hold, ports });
    try {
      const identity = await adapter.connect.inspect(credentials.context);
      const { known, host } = identity;
      const now = isoTime(hold.now());
      const change = { ...identityFields(identity), last_checked_at: now, updated_at: now };
      await ports.storage.write([
        {
          kind: "update",
          collection: "profiles",
          id: held.id,
          change: toChange({ ...change, private: { ...credentials.profile().private, known, host } }),
          where: { epoch: hold.epoch },
        },
      ]);
    } catch (error) {
      const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
      if (!PublishingError.is(reason)) throw error;
      if (reason.code === "reauthentication_required" || reason.code === "profile_unavailable") {
        await markNeedsAttention(credentials.profile(), reason.message, { hold, ports });
        return;
      }
      // The network cannot be asked now: that says nothing about the credentials.
      throw new SocialError("publish_failed", `The profile could not be checked. ${reason.message}`, { cause: reason });
    }
  });
}

/** Whoever holds the profile ends the call in flight, settles what is open and destroys the credentials. */
async function untilDestroyed(ports: ProfilePorts, id: string): Promise<void> {
  const until = ports.clock.monotonic() + busyPatienceMs;
  for (;;) {
    await ports.workProfile(id);
    const row = await ports.storage.get("profiles", id);
    const destroyed = row === null || fromRow<ProfileRow>(row).private.secret === null;
    if (destroyed || ports.clock.monotonic() >= until) return;
    await ports.clock.sleep(busyPollMs);
  }
}

/** From here on no new intent is opened; what is under way ends, then the credentials go. */
async function markDisconnected(ports: ProfilePorts, profile: ProfileRow): Promise<void> {
  const now = await ports.storage.now();
  const change = { status: "disconnected", status_reason: null, due_at: now, updated_at: isoTime(now) } as const;
  try {
    await ports.storage.write([
      {
        kind: "update",
        collection: "profiles",
        id: profile.id,
        change,
        where: { status: { in: ["connected", "needs_attention"] } },
      },
    ]);
  } catch (error) {
    if (error instanceof StorageConflict) return;
    throw error;
  }
  ports.events.emit("profile.disconnected", {
    account_id: profile.account_id,
    profile: toProfile({ ...profile, ...change }),
  });
}
