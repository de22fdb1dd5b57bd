import type { AccountChoice } from "../networks/contract/browser-login.ts";
import { logIn, storeLogin } from "../profiles/connect.ts";
import { adapterOf } from "../profiles/network.ts";
import { readProfile } from "../profiles/read.ts";
import { toProfile } from "../profiles/rows.ts";
import type { Profile } from "../profiles/schema.ts";
import { SocialError } from "../wire/errors.ts";
import { parseInput } from "../wire/parse.ts";
import type { ConnectionPorts } from "./ports.ts";
import { assertCode, type ConnectionRow, choicesOf, isExpired, move, readOwn } from "./rows.ts";
import { type FinishConnection, finishConnectionSchema } from "./schema.ts";

/** The result of a finished sign-in. */
export interface FinishedConnection {
  /** A profile for each account, in the order of `option_ids`. */
  profiles: Profile[];
}

/**
 * Connects accounts of a sign-in. All of them are checked with the network before any is stored, so that a network
 * failure leaves the sign-in unchanged.
 */
export async function finishConnection(
  ports: ConnectionPorts,
  accountId: string,
  { id, body }: { id: string; body: FinishConnection },
): Promise<FinishedConnection> {
  const { code, option_ids } = parseInput(finishConnectionSchema, body);
  const row = await readOwn(ports.storage, accountId, id);
  assertCode(row, code);
  if (row.status === "finished") return { profiles: await profilesOf(ports, row) };
  assertOpen(row, await ports.storage.now());
  const adapter = adapterOf(ports, row.network);
  const chosen = chosenFrom(choicesOf(ports.vault, row), option_ids);
  const logins = [];
  for (const { credentials } of chosen) logins.push(await logIn(ports, adapter, credentials));
  const profiles: Profile[] = [];
  for (const login of logins) profiles.push(await storeLogin(ports, accountId, adapter, login));
  const profile_ids = profiles.map((profile) => profile.id);
  const state = { ...row.private, sealed: null };
  // A concurrent call for the same sign-in has connected the same accounts.
  await move(ports.storage, row, { from: "authorized", change: { status: "finished", profile_ids, private: state } });
  return { profiles };
}

/** For a repeated call after a lost response: the profiles that the first call connected, in their current state. */
async function profilesOf(ports: ConnectionPorts, { account_id, profile_ids }: ConnectionRow): Promise<Profile[]> {
  const rows = await Promise.all(profile_ids.map((id) => readProfile(ports, account_id, id)));
  return rows.map((row) => toProfile(row, ports.adapter(row.network)));
}

/** @throws SocialError `conflict` for a sign-in that cannot be finished (any more) */
function assertOpen(row: ConnectionRow, now: number): void {
  if (isExpired(row, now))
    throw new SocialError("conflict", "This sign-in took longer than ten minutes: start a new one.");
  if (row.status === "authorized") return;
  const reason = row.error === null ? "The browser has not returned from the network yet." : row.error.message;
  throw new SocialError("conflict", reason);
}

/** @throws SocialError `invalid_request` that names the missing choice, or one that the sign-in does not include */
function chosenFrom(choices: readonly AccountChoice[], ids: readonly string[] | undefined): AccountChoice[] {
  if (ids === undefined) {
    const [only, ...others] = choices;
    if (only !== undefined && others.length === 0) return [only];
    throw wrongChoice(
      "option_ids",
      `This sign-in gives access to ${choices.length} accounts: choose those to connect.`,
    );
  }
  return ids.map((id, index) => {
    const field = `option_ids[${index}]`;
    if (ids.indexOf(id) !== index) throw wrongChoice(field, "This account is listed twice.");
    const choice = choices.find((each) => each.id === id);
    if (choice === undefined)
      throw wrongChoice(field, "This sign-in gives no access to an account with this id; see `options`.");
    return choice;
  });
}

function wrongChoice(field: string, message: string): SocialError {
  const details = [{ field, code: "invalid_request" as const, message }];
  return new SocialError("invalid_request", "The sign-in was not finished.", { details });
}
