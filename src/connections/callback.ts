import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { AccountChoice } from "../networks/contract/browser-login.ts";
import { readableAccounts } from "../networks/runtime/readable-choices.ts";
import { readProfile } from "../profiles/read.ts";
import { fromRow } from "../storage/typed.ts";
import type { JsonObject } from "../wire/json.ts";
import { createBrowserContext } from "./context.ts";
import { type Failure, failureOf, saidByNetwork } from "./failure.ts";
import type { ConnectionPorts } from "./ports.ts";
import { type ConnectionRow, hashOf, isExpired, move, openLogin, placeOfLogin } from "./rows.ts";
import { browserOf, newSecret } from "./start.ts";

/** The parts of a callback URL's path. */
export interface CallbackPlace {
  network: string;
  /** The server in the path; null: none. */
  server: string | null;
}

/** The URL to redirect a returning browser to; null: it belongs to no sign-in. */
export type Return = { url: string } | null;

/** Continues a sign-in when the browser returns from the network. */
export type LoginCallback = (place: CallbackPlace, parameters: URLSearchParams) => Promise<Return>;

export function createLoginCallback(ports: ConnectionPorts): LoginCallback {
  return async ({ network, server }, parameters) => {
    const row = await findByState(ports, network, parameters);
    if (row === null) return null;
    const failure = await bringOn(ports, row, { server, parameters });
    if ("code" in failure && "message" in failure) {
      const { code, message } = failure;
      ports.logger.warn("a browser sign-in failed", { network, connection_id: row.id, code, message });
      return { url: backTo(row, { error: code }) };
    }
    return { url: backTo(row, { code: failure.secret }) };
  };
}

const statePattern = /^[\w-]{43}$/;

async function findByState(
  { storage }: ConnectionPorts,
  network: string,
  parameters: URLSearchParams,
): Promise<ConnectionRow | null> {
  const [state, ...more] = parameters.getAll("state");
  if (state === undefined || more.length > 0 || !statePattern.test(state)) return null;
  // Searched by hash, so that the time of the search reveals nothing about existing states.
  const where = { state_hash: hashOf(state) };
  const { rows } = await storage.find("connections", { where, limit: 1, isCounted: false });
  const row = rows[0] === undefined ? null : fromRow<ConnectionRow>(rows[0]);
  return row !== null && row.network === network ? row : null;
}

/** The server and query of a callback. */
type CameBack = Pick<CallbackPlace, "server"> & { parameters: URLSearchParams };

async function bringOn(
  ports: ConnectionPorts,
  row: ConnectionRow,
  came: CameBack,
): Promise<Failure | { secret: string }> {
  if (row.status !== "pending") return alreadyUsed;
  if (isExpired(row, await ports.storage.now())) return expired;
  // From here on the callback cannot be used a second time, whatever happens.
  if (!(await move(ports.storage, row, { from: "pending", change: { status: "returned" } }))) return alreadyUsed;
  try {
    const choices = await choicesBehind(ports, row, came);
    if (!Array.isArray(choices)) return await fail(ports, row, choices);
    const secret = newSecret(ports);
    const sealed = ports.vault.seal({ choices: choices as unknown as JsonObject[] }, placeOfLogin(row));
    const state = { ...row.private, sealed, code_hash: hashOf(secret) };
    return (await move(ports.storage, row, {
      from: "returned",
      change: { status: "authorized", private: state },
    }))
      ? { secret }
      : alreadyUsed;
  } catch (error) {
    const failure = failureOf(error);
    await fail(ports, row, failure ?? ownFault);
    if (failure === null) throw error;
    return failure;
  }
}

async function choicesBehind(
  ports: ConnectionPorts,
  row: ConnectionRow,
  { server, parameters }: CameBack,
): Promise<AccountChoice[] | Failure> {
  // A malicious server may have redirected the browser to another server, whose code it must not get.
  if (server !== row.private.back.server || isAmbiguous(parameters)) return fromElsewhere;
  const adapter = ports.adapter(row.network);
  if (adapter === undefined) return ownFault;
  const { name } = adapter.spec;
  const error = parameters.get("error");
  if (error !== null) return saidByNetwork(name, error, browserOf(adapter).errors);
  const choices = await finishAt(ports, adapter, row, parameters);
  if (choices.length === 0)
    return { code: "no_account", message: `This sign-in at ${name} gives access to no account.` };
  const { profile_id } = row.private;
  if (profile_id === null) return choices;
  const { external_id, handle } = await readProfile(ports, row.account_id, profile_id);
  const same = choices.filter(({ id }) => id === external_id);
  if (same.length > 0) return same;
  const wanted = handle ?? external_id;
  return { code: "other_account", message: `Another user signed in at ${name}: the profile belongs to ${wanted}.` };
}

/** True: repeated parameters. https://www.rfc-editor.org/rfc/rfc6749#section-3.1 (2026-11) */
function isAmbiguous(parameters: URLSearchParams): boolean {
  return ["code", "iss", "error"].some((name) => parameters.getAll(name).length > 1);
}

async function finishAt(
  ports: ConnectionPorts,
  adapter: NetworkAdapter,
  row: ConnectionRow,
  parameters: URLSearchParams,
): Promise<AccountChoice[]> {
  const { keep = {} } = openLogin(ports.vault, row) as { keep?: JsonObject };
  const given = Object.fromEntries(parameters);
  const context = createBrowserContext(ports, adapter, {
    accountId: row.account_id,
    redirectUri: row.private.back.redirect_uri,
    state: given.state ?? "",
    secrets: { keep, token: given.code ?? "" },
  });
  return readableAccounts(await browserOf(adapter).finish(context, { parameters: given, keep }));
}

async function fail(ports: ConnectionPorts, row: ConnectionRow, error: Failure): Promise<Failure> {
  const state = { ...row.private, sealed: null };
  await move(ports.storage, row, { from: "returned", change: { status: "failed", error, private: state } });
  return error;
}

const fromElsewhere: Failure = {
  code: "login_failed",
  message: "The browser returned from a different server than it was sent to: start a new sign-in.",
};
const alreadyUsed: Failure = { code: "already_used", message: "This sign-in was already used: start a new one." };
const expired: Failure = { code: "expired", message: "The sign-in took longer than ten minutes: start a new one." };
const ownFault: Failure = {
  code: "internal_error",
  message: "The sign-in failed in this service; see its log. Try again.",
};

function backTo(row: ConnectionRow, told: Record<string, string>): string {
  const url = new URL(row.private.redirect_url);
  url.searchParams.set("connection_id", row.id);
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return url.href;
}
