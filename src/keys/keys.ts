import { timingSafeEqual } from "node:crypto";
import { isoTime } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { type Storage, StorageConflict, type Where } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { type Page, toPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import {
  type CreatedKey,
  type CreateKey,
  createKeySchema,
  type Key,
  keySchema,
  type ListKeys,
  listKeysSchema,
} from "./schema.ts";
import { createToken, hashOfToken, isWellFormed } from "./token.ts";

/** The API keys of all accounts. Handing them out is up to the host, so no route does. */
export interface Keys {
  /** Makes a key. `key` is shown this once and stored nowhere. */
  create(options?: CreateKey): Promise<CreatedKey>;
  /** Newest first, revoked ones included. */
  list(query?: ListKeys): Promise<Page<Key>>;
  /** Ends a key, at once and in every process. Repeatable. @throws SocialError `not_found` */
  revoke(id: string): Promise<Key>;
}

export interface KeyPorts {
  storage: Storage;
  ids: Ids;
  /** Whose a key is that names no account; null: it must name one. */
  defaultAccountId: string | null;
}

type KeyRow = Key & { hash: string };

export function createKeys({ storage, ids, defaultAccountId }: KeyPorts): Keys {
  return {
    async create(options = {}) {
      const { account_id = defaultAccountId, scopes } = parseInput(createKeySchema, options);
      if (account_id === null) throw withoutAccount();
      const now = await storage.now();
      const key = createToken(ids);
      const row: KeyRow = {
        id: ids.create("key", now),
        account_id,
        scopes: [...new Set(scopes)],
        last_four: key.slice(-4),
        created_at: isoTime(now),
        revoked_at: null,
        hash: hashOfToken(key),
      };
      await storage.write([{ kind: "insert", collection: "keys", row: toRow(row) }]);
      return { ...keySchema.parse(row), key };
    },
    async list(query = {}) {
      const { limit, offset, account_id } = parseInput(listKeysSchema, query);
      const where: Where = account_id === undefined ? {} : { account_id };
      const order = { column: "created_at", direction: "desc" } as const;
      const found = await storage.find("keys", { where, order, limit, offset });
      const keys = found.rows.map((row) => keySchema.parse(row));
      return toPage(keys, found.total, { limit, offset });
    },
    async revoke(id) {
      const revoked_at = isoTime(await storage.now());
      const known = await storage.get("keys", id);
      if (known === null) throw new SocialError("not_found", "This key does not exist.");
      const key = keySchema.parse(known);
      if (key.revoked_at !== null) return key;
      await storage
        .write([{ kind: "update", collection: "keys", id, change: toChange({ revoked_at }), where: {} }])
        .catch((error: unknown) => {
          if (!(error instanceof StorageConflict)) throw error;
          throw new SocialError("not_found", "This key does not exist.");
        });
      return { ...key, revoked_at };
    },
  };
}

function withoutAccount(): SocialError {
  const message = "account_id is required: this service has several accounts.";
  return new SocialError("invalid_request", message, {
    details: [{ field: "account_id", code: "invalid_request", message }],
  });
}

/** The key that a caller sends; null when it is missing, malformed, unknown or revoked: callers must not learn which. */
export async function findKey({ storage }: Pick<KeyPorts, "storage">, token: string): Promise<Key | null> {
  if (!isWellFormed(token)) return null;
  const hash = hashOfToken(token);
  const found = await storage.find("keys", { where: { hash }, limit: 1 });
  const [row] = found.rows;
  if (row === undefined) return null;
  const { hash: known, ...key } = fromRow<KeyRow>(row);
  const isSame = timingSafeEqual(Buffer.from(known), Buffer.from(hash));
  return isSame && key.revoked_at === null ? key : null;
}
