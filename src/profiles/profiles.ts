import type { OptionChoice } from "../networks/contract/choices.ts";
import { isoTime } from "../ports/clock.ts";
import { isConflictIn, type Row, type Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { type Page, toPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import { checkProfile } from "./check.ts";
import { readChoices } from "./choices.ts";
import { invalidCredentials, logIn, storeLogin } from "./connect.ts";
import { busyPatienceMs, busyPollMs } from "./hold.ts";
import { adapterOf, refuseUnreachable, wrongNetwork } from "./network.ts";
import type { ProfilePorts } from "./ports.ts";
import { readProfile } from "./read.ts";
import { type ProfileRow, toProfile } from "./rows.ts";
import {
  type ChoicesQuery,
  type ConnectProfile,
  choicesQuerySchema,
  connectProfileSchema,
  type ListProfiles,
  listProfilesSchema,
  type Profile,
} from "./schema.ts";

/** The profiles of one account: its connections to networks. */
export interface Profiles<Connect = ConnectProfile> {
  /**
   * Connects a network account with its credentials, or renews those of an existing profile.
   *
   * @throws SocialError `invalid_request` naming the wrong credential, `publish_failed` if the network cannot be
   * reached now
   */
  connect(body: Connect): Promise<Profile>;
  /** Newest first. */
  list(query?: ListProfiles): Promise<Page<Profile>>;
  /** The profile's current state. @throws SocialError `not_found` */
  get(id: string): Promise<Profile>;
  /** Checks with the network whether the credentials still work, and reads name and limits again. */
  check(id: string): Promise<Profile>;
  /**
   * The values that an option may have on this account, as the network reports them now: its playlists, its boards.
   * `networks.list()` names these options under `choices`. With `query`, only those that the network finds, or whose
   * names contain it.
   *
   * @throws SocialError `not_found`, `invalid_request` for an option without choices, `conflict` for a profile that
   * is not connected or stays busy, `publish_failed` if the network does not report them
   */
  choices(id: string, option: string, given?: ChoicesQuery): Promise<OptionChoice[]>;
  /** Stops publishing on it and deletes its credentials. Can be repeated. */
  disconnect(id: string): Promise<Profile>;
}

export function createProfiles(ports: ProfilePorts, accountId: string): Profiles {
  const { storage } = ports;

  const read = (id: string): Promise<ProfileRow> => readProfile(ports, accountId, id);

  /** A missing key is shown but not stored: with the key everything works again. */
  function show(row: ProfileRow): Profile {
    const lack = lackFor(row);
    const profile = toProfile(row, ports.adapter(row.network));
    return lack === null ? profile : { ...profile, status: "needs_attention", status_reason: lack };
  }

  function lackFor({ status, private: { secret } }: ProfileRow): string | null {
    return secret === null || status === "disconnected" ? null : ports.vault.lackFor(secret);
  }

  return {
    async connect(body) {
      const { network, credentials, profile_id } = parseInput(connectProfileSchema, body, {
        found: wrongNetwork(ports, body),
      });
      const adapter = adapterOf(ports, network);
      await refuseUnreachable(ports, adapter);
      const wanted = profile_id == null ? null : await read(profile_id);
      const login = await logIn(ports, adapter, credentials);
      if (wanted !== null && (wanted.network !== network || wanted.external_id !== login.identity.external_id)) {
        const message = "These credentials belong to another account than the profile. Connect them as a new profile.";
        throw invalidCredentials([{ field: "profile_id", message }]);
      }
      return storeLogin(ports, accountId, adapter, login);
    },
    async list(query = {}) {
      const { limit, offset, reconnect_before, network, status } = parseInput(listProfilesSchema, query);
      const where = {
        account_id: accountId,
        ...(network === undefined ? {} : { network }),
        ...(status === undefined ? {} : { status }),
      };
      const found =
        reconnect_before === undefined
          ? await storage.find("profiles", { where, limit, offset })
          : await findEnding(ports, { where, limit, offset, before: Date.parse(reconnect_before) });
      return toPage(
        found.rows.map((row) => show(fromRow(row))),
        found.total,
        { limit, offset },
      );
    },
    get: async (id) => show(await read(id)),
    async check(id) {
      const profile = await read(id);
      if (profile.status === "disconnected" || lackFor(profile) !== null) return show(profile);
      await checkProfile(ports, profile);
      return show(await read(id));
    },
    async choices(id, option, given = {}) {
      const { query = null } = parseInput(choicesQuerySchema, given);
      return readChoices(ports, await read(id), { option, query });
    },
    async disconnect(id) {
      const profile = await read(id);
      if (profile.status !== "disconnected") await markDisconnected(ports, profile);
      await untilDestroyed(ports, id);
      return toProfile(await read(id), ports.adapter(profile.network));
    },
  };
}

/** Profiles read at a time to find those that end. */
const readAtOnce = 500;

/**
 * Profiles whose connection ends before a time, milliseconds. There is no column for it, since a job lists them only
 * once a day.
 */
async function findEnding(
  { storage }: ProfilePorts,
  { where, limit, offset, before }: { where: Where; limit: number; offset: number; before: number },
): Promise<{ rows: Row[]; total: number }> {
  const ending: Row[] = [];
  for (let from = 0; ; from += readAtOnce) {
    const { rows } = await storage.find("profiles", { where, limit: readAtOnce, offset: from, isCounted: false });
    ending.push(...rows.filter((row) => Date.parse(fromRow<ProfileRow>(row).reconnect_by ?? "") <= before));
    if (rows.length < readAtOnce) return { rows: ending.slice(offset, offset + limit), total: ending.length };
  }
}

/** Waits until the profile's holder has finished its running request, settled open work and deleted the credentials. */
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

/** No new request starts from here on. Running ones end, then the credentials are deleted. */
async function markDisconnected(ports: ProfilePorts, profile: ProfileRow): Promise<void> {
  const now = await ports.storage.now();
  const change = { status: "disconnected", status_reason: null, due_at: now, updated_at: isoTime(now) } as const;
  try {
    const where = { status: { in: ["connected", "needs_attention"] } };
    const payload = {
      account_id: profile.account_id,
      profile: toProfile({ ...profile, ...change }, ports.adapter(profile.network)),
    };
    await ports.outbox.write(
      [
        { kind: "update", collection: "profiles", id: profile.id, change, where },
        ...(await ports.alongside({ ...profile, ...change }, now)),
      ],
      { name: "profile.disconnected", payload },
      now,
    );
  } catch (error) {
    // Another call was faster.
    if (!isConflictIn("profiles", error)) throw error;
  }
}
