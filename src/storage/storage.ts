import type { JsonObject } from "../wire/json.ts";
import type { CollectionName, claimableCollections } from "./schema.ts";

/**
 * A row: plain JSON with an `id`. Filtered, ordered and unique fields are real
 * columns (`schema.ts`); all other fields are kept as they are.
 *
 * A column holds null, a text without NUL or lone surrogates, or a safe
 * integer, as its schema says; anything else is a TypeError that names it. A
 * row comes back with every column of its collection, null where it was never
 * given: `id` first, then the columns, then the other fields.
 */
export interface Row extends JsonObject {
  /** Unique in its collection. */
  id: string;
}

/**
 * What one column must be: equal to a value (null included), or all that the
 * object says: one of a list (an empty one holds nothing), none of a list (an
 * empty one forbids nothing), in a range, not null. Null is in no list and in
 * no range. Text is compared by code point, upper and lower case apart.
 */
export type Condition =
  | null
  | number
  | string
  | {
      in?: readonly (string | number)[] | undefined;
      not_in?: readonly (string | number)[] | undefined;
      lt?: number | string | undefined;
      lte?: number | string | undefined;
      gte?: number | string | undefined;
      not_null?: true | undefined;
    };

/**
 * All of it must hold. Only `id` and columns of the collection may be named,
 * with values of the column's kind; anything else is a TypeError that names
 * it. An empty object always holds.
 */
export type Where = Readonly<Record<string, Condition>>;

/** A position in an order: a row's value of the order's column, and its id. */
export interface Place {
  value: number | string;
  id: string;
}

/** Which rows are found, in which order, and how many. */
export interface FindQuery {
  /** What the rows must be. */
  where: Where;
  /**
   * Besides, for `posts` only: at least one of the post's targets fulfils this.
   * A storage may read the columns that targets repeat of their post (`targetsRepeat` in `schema.ts`), and the post's
   * list of one of theirs (`targetsListed`).
   */
  some?: { targets: Where };
  /**
   * Sorted by this column, and where it is equal by id in the same direction.
   * Text is sorted by code point; null is smaller than any value.
   * @default { column: "created_at", direction: "desc" }; a collection that has no such column is refused
   */
  order?: { column: string; direction: "asc" | "desc" };
  /**
   * Only rows after this position in the order, such as the end of a page; a row need not exist there any more. Rows with
   * null in the order's column are left out. `total` counts the same rows.
   * @default from the beginning
   */
  after?: Place | undefined;
  /** Rows returned at most. @default all */
  limit?: number;
  /** Rows skipped. @default 0 */
  offset?: number;
  /** False: the caller does not need to know how many match in all, and `total` is the number of rows returned. @default true */
  isCounted?: boolean;
  /** True: the caller reads columns alone. A store may leave all other fields out, and need not. @default false */
  needsOnlyColumns?: boolean;
}

/** What `find` returns. */
export interface FoundRows {
  /** In the query's order, at most `limit` of them. */
  rows: Row[];
  /** How many rows match in all, if the query asks. Read beside the rows: another process may write in between. */
  total: number;
}

/**
 * One step of a `write`. Each sees what those before it did.
 * - `insert` conflicts when the id or a unique of the collection is taken.
 * - `update` is a compare-and-set: it conflicts when the row is missing or does
 *   not fulfil `where`, or when the change breaks a unique. `change` replaces
 *   the fields it names, nested objects whole, and leaves the others; it cannot
 *   name `id`. `isComplete` promises that it names every field of the row that
 *   is no column: a store may then put these in the place of all others without
 *   reading them, and need not.
 * - `delete` of a missing row is no conflict.
 * - `check` conflicts like `update` and changes nothing.
 */
export type Operation =
  | { kind: "insert"; collection: CollectionName; row: Row }
  | {
      kind: "update";
      collection: CollectionName;
      id: string;
      change: JsonObject;
      where: Where;
      isComplete?: boolean;
    }
  | { kind: "delete"; collection: CollectionName; id: string }
  | { kind: "check"; collection: CollectionName; id: string; where: Where };

/** The id of the row that an operation is about. */
export function rowIdOf(operation: Operation): string {
  return operation.kind === "insert" ? operation.row.id : operation.id;
}

/** Which rows are claimed, and until when. */
export interface ClaimOptions {
  /** The store's time, milliseconds. */
  now: number;
  /** When the lease ends, milliseconds. */
  leaseUntil: number;
  /** Rows taken at most. */
  limit: number;
  /** No row of these accounts. @default any */
  exceptAccounts?: readonly string[];
  /** This row only; while somebody changes it, that is waited for. @default any */
  id?: string;
}

/**
 * Where everything is kept. Rows go in and come out as copies: changing one
 * changes nothing in the store.
 *
 * There is no interactive transaction; `write` is a list of operations that
 * all happen or none does.
 */
export interface Storage {
  /** True: everything is gone with the process, so a key that is gone with it will do. */
  readonly isVolatile?: boolean;
  /** Creates or updates the tables. Safe to run twice and from several processes at once. */
  migrate(): Promise<void>;
  /** The store's time in milliseconds: what two processes compare. */
  now(): Promise<number>;
  /** Null when there is no such row. */
  get(collection: CollectionName, id: string): Promise<Row | null>;
  /** The rows that fulfil the query, in its order. */
  find(collection: CollectionName, query: FindQuery): Promise<FoundRows>;
  /**
   * All operations or none, in their order, durable (`fsync`) when it resolves.
   * An empty list does nothing.
   *
   * @throws StorageConflict naming the first operation that could not be applied
   */
  write(operations: readonly Operation[]): Promise<void>;
  /**
   * As `write`, inside a transaction of the host's own: all of it is there if
   * that is committed, and nothing if it is not. Absent where the storage has
   * no transactions to offer.
   *
   * @param transaction what the storage's documentation says: an open handle, a client
   * @throws StorageConflict; the host then rolls back
   */
  writeWithin?(transaction: unknown, operations: readonly Operation[]): void | Promise<void>;
  /**
   * Takes rows for their caller alone: those with `due_at` and `lease_until`
   * at or before `now` (null `due_at`: never; null `lease_until`: not leased).
   * Where `limit` cuts, the earliest `due_at` are taken, then the smallest id.
   * Sets `due_at` and `lease_until` to `leaseUntil`, adds one to `epoch` (null
   * counts as zero), and returns the changed rows, in no particular
   * order. Two claimers never get the same row.
   */
  claim(collection: ClaimableCollection, options: ClaimOptions): Promise<Row[]>;
  /**
   * Claims due posts, so that only the caller starts them: posts with the status `scheduled` and `due_at` at or before
   * `now`. If there are more than `limit`, it takes the smallest `due_at`, then the smallest id. It sets `due_at` to
   * `-leaseUntil`: a negative `due_at` is a claim that ends at its opposite, and until then the post is not claimed
   * again. A claim that ends after `leaseUntil` was made by a clock that ran ahead, and counts as ended. Returns the
   * changed rows, in no particular order. Two callers never get the same post.
   *
   * Absent: each process reads the due posts with `find`. A post still starts only once, since the write that starts it
   * has a condition; but each further process then works in vain most of the time.
   */
  claimPosts?(options: Omit<ClaimOptions, "id">): Promise<Row[]>;
  /**
   * The smallest `due_at` of all rows that a sweep looks for (`sweptRows` in `schema.ts`), where a negative one counts
   * as its opposite; null: none is at or before `until`.
   */
  nextDueAt(until: number): Promise<number | null>;
  /**
   * Adds `by` to a counter and returns its new value. A counter that is absent,
   * or whose expiry is at or before `now`, starts at zero and expires at
   * `expiresAt`; a running one keeps its expiry. Need not survive a loss of power.
   */
  increment(counter: { key: string; by: number; now: number; expiresAt: number }): Promise<number>;
  /**
   * Removes from the disk what deleted and replaced rows have left there. Called after an erasure and every hour, beside
   * other calls. Absent where nothing is left, or where the database cannot do it.
   *
   * @returns false when something is left, since another process still reads an older state; a later call removes it
   */
  wipeDeleted?(): Promise<boolean>;
  /** Closes what the storage itself opened; a handle that was passed in stays open. Twice is harmless. */
  close(): Promise<void>;
}

/** True when a `write` was not applied because of a row of this collection. */
export function isConflictIn(collection: CollectionName, error: unknown): error is StorageConflict {
  return error instanceof StorageConflict && error.operation.collection === collection;
}

/** A collection whose rows are claimed by one process at a time. */
export type ClaimableCollection = (typeof claimableCollections)[number];

/** A `write` was not applied, because of this operation. Nothing of it is in the store. */
export class StorageConflict extends Error {
  override readonly name = "StorageConflict";
  /** The operation's place in the list. */
  readonly index: number;
  /** As it was given, or a copy. */
  readonly operation: Operation;
  /** `exists`: the id is taken · `unique`: the named unique is · `missing`: no such row · `where`: a condition does not hold. */
  readonly reason: "exists" | "unique" | "missing" | "where";
  /** The unique's columns, when `reason` is `unique`. */
  readonly unique: readonly string[] | undefined;

  constructor(index: number, operation: Operation, reason: StorageConflict["reason"], unique?: readonly string[]) {
    super(
      `The write was not applied: ${operation.kind} ${operation.collection} ${rowIdOf(operation)} (operation ${index}): ${reason}` +
        (unique === undefined ? "" : ` (${unique.join(", ")})`),
    );
    this.index = index;
    this.operation = operation;
    this.reason = reason;
    this.unique = unique;
  }
}
