import { toBase32 } from "../../networks/bluesky/dag-cbor.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { known } from "../parts/known.ts";

export interface StoredBlob {
  mimeType: string;
  size: number;
}

export interface StoredRecord {
  uri: string;
  cid: string;
  value: JsonObject;
  /** When it was written, milliseconds. */
  written_at: number;
}

/** An account and its repository. */
export interface SandboxAccount {
  did: string;
  /** The handle that resolves to the account. */
  handle: string;
  /** The handle that its server and its DID document state. */
  claimed: string;
  password: string;
  display_name: string;
  /** The app password's kind, as in session tokens. */
  scope: string;
  status: "active" | "takendown" | "deactivated";
  /** The hostname of the account's server. */
  server: string;
  blobs: Map<string, StoredBlob>;
  /** By `collection/rkey`, in the order of writing. */
  records: Map<string, StoredRecord>;
}

/** An account to create. */
export interface NewAccount {
  /** Its handle. */
  handle: string;
  /** The account's own domain, for `did:web`, where its DID document is. @default none: it has a `did:plc` */
  domain?: string;
  /** Its app password. @default "abcd-efgh-ijkl-mnop" */
  password?: string;
  /** Its name. @default the handle */
  display_name?: string;
  /** The scope of its session. @default "com.atproto.appPass" */
  scope?: string;
}

/** The server of accounts that have not moved. */
export const firstServer = "pds.sandbox.example";

export interface Accounts {
  add(account: NewAccount): SandboxAccount;
  all(): SandboxAccount[];
  /** The account with this handle or DID. */
  find(identifier: string): SandboxAccount | undefined;
  byHandle(handle: string): SandboxAccount;
  /** The account with this DID. */
  named(did: string): SandboxAccount;
  /** What tests may do with accounts. */
  switches: {
    claimHandle(did: string, handle: string): void;
    takeDown(handle: string): void;
    restore(handle: string): void;
  };
}

export function createAccounts(ports: SandboxPorts): Accounts {
  const accounts: SandboxAccount[] = [];
  const find = (identifier: string): SandboxAccount | undefined =>
    accounts.find(({ did, handle }) => did === identifier || handle === identifier.toLowerCase());
  const demand = (identifier: string): SandboxAccount => known(find(identifier), `account ${identifier}`);

  return {
    add(given) {
      const { handle, domain, password = "abcd-efgh-ijkl-mnop" } = given;
      const { display_name = handle, scope = "com.atproto.appPass" } = given;
      const account: SandboxAccount = {
        did: domain === undefined ? `did:plc:${toBase32(randomBytes(ports, 15))}` : `did:web:${domain}`,
        handle,
        claimed: handle,
        password,
        display_name,
        scope,
        status: "active",
        server: domain ?? firstServer,
        blobs: new Map(),
        records: new Map(),
      };
      accounts.push(account);
      return account;
    },
    all: () => accounts,
    find,
    byHandle: demand,
    named: demand,
    switches: {
      claimHandle(did, handle) {
        demand(did).claimed = handle;
      },
      takeDown(handle) {
        demand(handle).status = "takendown";
      },
      restore(handle) {
        demand(handle).status = "active";
      },
    },
  };
}

export function randomBytes(ports: SandboxPorts, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(ports.random() * 256));
}
