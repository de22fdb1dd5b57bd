import * as z from "zod";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Credentials, Identity } from "../networks/contract/profile.ts";
import { readableIdentity } from "../networks/runtime/readable.ts";
import { createLoginContext, NetworkRefusal, toPublishingError } from "../networks/runtime/session.ts";
import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import { parseInput } from "../wire/parse.ts";
import { placeOfSecret } from "./credentials.ts";
import { keepGrant, replaceGrant } from "./grants.ts";
import { holdProfile } from "./hold.ts";
import type { ProfilePorts } from "./ports.ts";
import { endTimeOf, loginDueOf, type ProfileRow, type ProfileState, timesOf, toProfile } from "./rows.ts";
import type { Profile, ProfileEvent } from "./schema.ts";
import { withVisible } from "./visible-lists.ts";

/** The account and credentials of a successful sign-in. */
export type Login = Awaited<ReturnType<NetworkAdapter["connect"]["login"]>>;

/**
 * @throws SocialError `invalid_request` naming the wrong credential, `publish_failed` if the network cannot be
 * reached now
 */
export async function logIn(ports: ProfilePorts, adapter: NetworkAdapter, input: object): Promise<Login> {
  const schema = z.object({ credentials: adapter.connect.credentials });
  const { credentials } = parseInput(schema, { credentials: input }) as { credentials: JsonObject };
  try {
    const context = createLoginContext(adapter, ports.session, credentials);
    const login = await adapter.connect.login(context, credentials);
    return { ...login, identity: readableIdentity(login.identity, login.credentials.secret) };
  } catch (error) {
    throw failedLogin(error, { network: adapter.spec.network, place: "credentials", given: credentials });
  }
}

/**
 * Converts an error of connecting to one that names the wrong field.
 *
 * @param options.place the request field of `given`
 * @returns any error other than a network's unchanged
 */
export function failedLogin(
  error: unknown,
  { network, place, given }: { network: NetworkId; place: string; given: JsonObject },
): unknown {
  const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
  if (!PublishingError.is(reason)) return error;
  const { code, message } = reason;
  const named = Object.keys(given).find((key) => message.startsWith(`${key}: `));
  const field = named === undefined ? place : `${place}.${named}`;
  const details = [{ field, network, code, message }];
  if (code === "unsupported") return new SocialError("unsupported", message, { details, cause: reason });
  if (!reason.isPassing) return new SocialError("invalid_request", message, { details, cause: reason });
  // The network cannot be reached now, which says nothing about the credentials.
  const now = `The profile could not be connected now. ${message} Check the URL if you sent one, or try again later.`;
  return new SocialError("publish_failed", now, { details, cause: reason });
}

export function invalidCredentials(details: { field: string; message: string }[]): SocialError {
  return new SocialError("invalid_request", "The profile was not connected.", { details });
}

/** How often two concurrent connections of one account may conflict. */
const maxConflicts = 10;

/** Creates the profile, or stores its new credentials. */
export async function storeLogin(
  ports: ProfilePorts,
  accountId: string,
  adapter: NetworkAdapter,
  login: Login,
): Promise<Profile> {
  const { external_id } = login.identity;
  const { network } = adapter.spec;
  const attempt = async (): Promise<Profile> => {
    const found = await ports.storage.find("profiles", {
      where: { account_id: accountId, network, external_id },
      limit: 1,
    });
    const known = found.rows[0] === undefined ? null : fromRow<ProfileRow>(found.rows[0]);
    const stored =
      known === null ? await insert(ports, accountId, adapter, login) : await renew(ports, adapter, known, login);
    return toProfile(stored, adapter);
  };
  const profile = await retryConflicts(attempt, { max: maxConflicts });
  ports.wakeInbox(profile.id, await ports.storage.now());
  return profile;
}

async function insert(
  ports: ProfilePorts,
  accountId: string,
  adapter: NetworkAdapter,
  login: Login,
): Promise<ProfileRow> {
  const now = await ports.storage.now();
  const id = ports.ids.create("profile", now);
  const fields = fieldsOf(ports, adapter, login, { accountId, id, now, before: {} });
  const row: ProfileRow = {
    id,
    account_id: accountId,
    network: adapter.spec.network,
    created_at: isoTime(now),
    due_at: loginDueOf(fields),
    lease_until: 0,
    epoch: 0,
    ...fields,
  };
  const operations: Operation[] = [
    { kind: "insert", collection: "profiles", row: toRow(row) },
    ...keepGrant(id, login.credentials),
    ...(await ports.alongside(row, now)),
  ];
  await ports.outbox.write(operations, connected(row, adapter), now);
  return row;
}

/** Writes new credentials while holding the profile, so that no refresh overwrites them. */
async function renew(
  ports: ProfilePorts,
  adapter: NetworkAdapter,
  known: ProfileRow,
  login: Login,
): Promise<ProfileRow> {
  return holdProfile(ports, known.id, async (held, hold) => {
    const { account_id: accountId, id, private: before } = held;
    const fields = fieldsOf(ports, adapter, login, { accountId, id, now: hold.now(), before });
    const renewed = { ...held, ...fields };
    // The write compares the status, which decides about the event: another process may disconnect the profile without
    // holding it.
    const where = { epoch: hold.epoch, status: held.status };
    // Due now: the worker then schedules what follows, including the renewal of the credentials.
    const change = toChange({ ...fields, due_at: hold.now() });
    const operations: Operation[] = [
      { kind: "update", collection: "profiles", id: held.id, change, where },
      ...replaceGrant(held.id, login.credentials),
      ...(await ports.alongside(renewed, hold.now())),
    ];
    await ports.outbox.write(
      operations,
      // If the profile already worked, there is no event.
      held.status === "connected" ? null : connected(renewed, adapter),
      hold.now(),
    );
    return renewed;
  });
}

function connected(row: ProfileRow, adapter: NetworkAdapter): ProfileEvent {
  return { name: "profile.connected", payload: { account_id: row.account_id, profile: toProfile(row, adapter) } };
}

function fieldsOf(
  ports: ProfilePorts,
  adapter: NetworkAdapter,
  { identity, credentials }: Login,
  {
    accountId,
    id,
    now,
    before,
  }: { accountId: string; id: string; now: number; before: Pick<ProfileState, "visible_lists"> },
) {
  const { expires_at, refresh_at } = timesOf(credentials);
  return {
    ...identityFields(identity),
    status: "connected" as const,
    status_reason: null,
    token_expires_at: endTimeOf(expires_at),
    reconnect_by: endTimeOf(endOf(adapter, credentials)),
    updated_at: isoTime(now),
    last_checked_at: isoTime(now),
    private: {
      secret: ports.vault.seal(credentials.secret, placeOfSecret({ account_id: accountId, id })),
      connected_at: now,
      expires_at,
      refresh_at,
      host: identity.host,
      account_facts: identity.account_facts,
      app: identity.app ?? null,
      limited_until: null,
      visible_lists: withVisible(before, identity.seen ?? [], now),
    },
  };
}

/** When the credentials end. Without renewal they end when they expire. */
function endOf({ connect }: NetworkAdapter, { expires_at, reconnect_by = null }: Credentials): number | null {
  if (connect.refresh !== undefined) return reconnect_by;
  const ends = [expires_at, reconnect_by].filter((at) => at !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

export function identityFields({ external_id, name, handle, avatar_url, url, scopes, limits }: Identity) {
  return { external_id, name, handle, avatar_url, url, scopes, limits: limits as Profile["limits"] & typeof limits };
}
