import { hash, timingSafeEqual } from "node:crypto";
import type { AccountChoice } from "../networks/contract/browser-login.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { SealedPlace, Vault } from "../ports/vault.ts";
import { isConflictIn, type Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Connection, ConnectionFailure } from "./schema.ts";

/** `returned`: the browser is back, and what it came back with is being traded. */
export type ConnectionStatus = "pending" | "returned" | "authorized" | "finished" | "failed";

/** A login in progress, as stored. */
export interface ConnectionRow {
  id: string;
  account_id: string;
  network: NetworkId;
  status: ConnectionStatus;
  /** SHA-256 of what the network hands back; a login is found by it. */
  state_hash: string;
  expires_at: string;
  /** When the row goes, milliseconds. */
  due_at: number;
  created_at: string;
  error: { code: ConnectionFailure; message: string } | null;
  profile_ids: string[];
  private: {
    redirect_url: string;
    back: WayBack;
    /** To be reconnected; null: any account will do. */
    profile_id: string | null;
    /** What the adapter keeps, then the accounts with their credentials: encrypted; null once it is over. */
    sealed: string | null;
    /** SHA-256 of the code that only the browser has; null until it is back. */
    code_hash: string | null;
  };
}

/** The one address that the network may send the browser back to. */
export interface WayBack {
  /** As it was registered, to the letter. */
  redirect_uri: string;
  /** The server in it; null: it names none. */
  server: string | null;
}

/** How long a login can be finished, milliseconds. */
export const openMs = 10 * 60_000;
/** How long after that it is still known that there was one, milliseconds. */
export const keptMs = 60 * 60_000;

export function placeOfLogin({ account_id, id }: Pick<ConnectionRow, "account_id" | "id">): SealedPlace {
  return { account: account_id, collection: "connections", id, field: "login" };
}

export function hashOf(secret: string): string {
  return hash("sha256", secret);
}

export function isExpired(row: ConnectionRow, now: number): boolean {
  return row.status !== "finished" && row.status !== "failed" && now >= Date.parse(row.expires_at);
}

/** @throws SocialError `not_found` */
export async function readOwn(storage: Storage, accountId: string, id: string): Promise<ConnectionRow> {
  const row = await storage.get("connections", id);
  const connection = row === null ? null : fromRow<ConnectionRow>(row);
  if (connection !== null && connection.account_id === accountId) return connection;
  throw new SocialError("not_found", "This account has no such connection, or it has expired: start a new one.");
}

/** Brings a login on, if nobody else has. False: somebody was faster. */
export async function move(
  storage: Storage,
  { id }: Pick<ConnectionRow, "id">,
  { from, change }: { from: ConnectionStatus; change: Partial<ConnectionRow> },
): Promise<boolean> {
  const where = { status: from };
  try {
    await storage.write([{ kind: "update", collection: "connections", id, change: toChange(change), where }]);
    return true;
  } catch (error) {
    if (!isConflictIn("connections", error)) throw error;
    return false;
  }
}

/** @throws SocialError `forbidden` for a code that is not the one which the login's browser was given */
export function assertCode({ private: { code_hash } }: ConnectionRow, code: string): void {
  const isRight = code_hash !== null && timingSafeEqual(Buffer.from(hashOf(code)), Buffer.from(code_hash));
  if (isRight) return;
  const message = "This is not the code that the browser returned with. Read it from the URL of your own page.";
  throw new SocialError("forbidden", message, { details: [{ field: "code", code: "invalid_request", message }] });
}

/** The accounts that an authorized login reaches. */
export function choicesOf(vault: Vault, row: ConnectionRow): AccountChoice[] {
  const { choices } = openLogin(vault, row) as { choices?: JsonObject[] };
  return (choices ?? []) as unknown as AccountChoice[];
}

export function openLogin(vault: Vault, row: ConnectionRow): JsonObject {
  return row.private.sealed === null ? {} : vault.open(row.private.sealed, placeOfLogin(row));
}

/** @param options null: they are not to be shown */
export function toConnection(row: ConnectionRow, now: number, choices: readonly AccountChoice[] | null): Connection {
  const { id, network, error, profile_ids, expires_at, created_at } = row;
  const options = choices?.map((each) => ({
    id: each.id,
    name: each.name,
    handle: each.handle,
    avatar_url: each.avatar_url,
  }));
  const status = row.status === "returned" ? "pending" : row.status;
  return {
    id,
    network,
    status: isExpired(row, now) ? "expired" : status,
    error,
    options: options ?? null,
    profile_ids,
    expires_at,
    created_at,
  };
}
