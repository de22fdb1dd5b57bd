import type { JsonObject } from "../wire/json.ts";
import type { CollectionName, claimableCollections } from "./schema.ts";

/**
 * A row: plain JSON with an `id`. Filtered, ordered and unique fields are real columns (`schema.ts`); all other fields
 * are stored unchanged.
 *
 * A column's value is null, a string without NUL or lone surrogates, or a safe integer, depending on its schema;
 * anything else is a TypeError that names the column. A returned row has every column of its collection, null if it was
 * never set: `id` first, then the columns, then the other fields.
 */
export interface Row extends JsonObject {
  /** Unique in its collection. */
  id: string;
}

/**
 * A condition on one column: equal to a value (which may be null), or all conditions of an object: in a list (an empty
 * list matches nothing), not in a list (an empty list excludes nothing), in a range, not null. Null is in no list and
 * no range. Text is compared by code point and is case-sensitive.
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
 * Conditions that a row must all match. They may name only `id` and columns of the collection, with values of the
 * column's type; anything else is a TypeError that names the column. An empty object matches every row.
 */
export type Where = Readonly<Record<string, Condition>>;

/** A position in an order: a row's value of the order's column, and its id. */
export interface Place {
  value: number | string;
  id: string;
}

/** A query of `find`. */
export interface FindQuery {
  /** The conditions on the rows. */
  where: Where;
  /**
   * For `posts` only: at least one of the post's targets must match this, too. A storage may use the post's columns
   * that targets repeat (`targetsRepeat` in `schema.ts`) and the column in which a post lists its targets' values
   * (`targetsListed`).
   */
  some?: { targets: Where };
  /**
   * The column to sort by; rows with equal values are sorted by id in the same direction. Text is sorted by code point;
   * null is smaller than any value.
   * @default { column: "created_at", direction: "desc" }; a TypeError if the collection has no such column
   */
  order?: { column: string; direction: "asc" | "desc" };
  /**
   * Returns only rows after this position in the order, for example the end of a page. The row at the position need not
   * exist any more. Rows with null in the order's column are left out. `total` counts the same rows.
   * @default from the beginning
   */
  after?: Place | undefined;
  /** Maximum number of rows. @default all */
  limit?: number;
  /** Number of rows to skip. @default 0 */
  offset?: number;
  /** False: the caller does not need the total count, and `total` is the number of returned rows. @default true */
  isCounted?: boolean;
  /** True: the caller reads only columns. A store may leave out all other fields. @default false */
  needsOnlyColumns?: boolean;
}

/** The result of `find`. */
export interface FoundRows {
  /** At most `limit` rows, in the query's order. */
  rows: Row[];
  /**
   * Number of all matching rows, if the query asks for it. It is read separately, so another process may write in
   * between.
   */
  total: number;
}

/**
 * One operation of a `write`. It sees the effects of the operations before it.
 * - `insert` conflicts if the id or a unique of the collection is taken.
 * - `update` is a compare-and-set: it conflicts if the row is missing or does not match `where`, or if the change
 *   breaks a unique. `change` replaces the fields that it names, nested objects as a whole, and leaves the others; it
 *   must not name `id`. `isComplete` promises that it names every field of the row that is not a column: a store may
 *   then replace all those fields without reading them, but need not.
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

/** Options of a claim. */
export interface ClaimOptions {
  /** The store's time, milliseconds. */
  now: number;
  /** When the lease ends, milliseconds. */
  leaseUntil: number;
  /** Maximum number of rows. */
  limit: number;
  /** Accounts whose rows are not claimed. @default none */
  exceptAccounts?: readonly string[];
  /** Claims only this row; waits while another process changes it. @default any row */
  id?: string;
}

/**
 * The store of all data. Rows are copied on the way in and out: changing a row object changes nothing in the store.
 *
 * There is no interactive transaction: `write` applies a list of operations, all or none.
 */
export interface Storage {
  /** True: all data are lost when the process exits, so a temporary encryption key is enough. */
  readonly isVolatile?: boolean;
  /** Creates or updates the tables. Safe to run twice, and from several processes concurrently. */
  migrate(): Promise<void>;
  /** Returns the store's time in milliseconds, which all processes compare. */
  now(): Promise<number>;
  /** Returns a row; null: there is none. */
  get(collection: CollectionName, id: string): Promise<Row | null>;
  /** Returns the rows that match the query, in its order. */
  find(collection: CollectionName, query: FindQuery): Promise<FoundRows>;
  /**
   * Applies all operations or none, in their order. They are durable (`fsync`) when it resolves. An empty list does
   * nothing.
   *
   * @throws StorageConflict naming the first operation that could not be applied
   */
  write(operations: readonly Operation[]): Promise<void>;
  /**
   * As `write`, inside a transaction of the host, which commits or rolls back the operations. Absent: the storage has
   * no transactions.
   *
   * @param transaction as the storage's documentation says: an open handle, a client
   * @throws StorageConflict; the host must then roll back
   */
  writeWithin?(transaction: unknown, operations: readonly Operation[]): void | Promise<void>;
  /**
   * Claims rows for the caller alone: those with `due_at` and `lease_until` at or before `now` (null `due_at`: never;
   * null `lease_until`: not leased). If there are more than `limit`, it takes the smallest `due_at`, then the smallest
   * id. Sets `due_at` and `lease_until` to `leaseUntil`, adds one to `epoch` (null counts as zero), and returns the
   * changed rows, in no particular order. Two callers never get the same row.
   */
  claim(collection: ClaimableCollection, options: ClaimOptions): Promise<Row[]>;
  /**
   * Claims due posts, so that only the caller starts them: posts with the status `scheduled` and `due_at` at or before
   * `now`. If there are more than `limit`, it takes the smallest `due_at`, then the smallest id. It sets `due_at` to
   * `-leaseUntil`: a negative `due_at` is a claim that ends at its opposite, and until then the post is not claimed
   * again. A claim that ends after `leaseUntil` was made by a clock that ran ahead, and counts as ended. Returns the
   * changed rows, in no particular order. Two callers never get the same post.
   *
   * Absent: each process reads the due posts with `find`. A post still starts only once, because the write that starts
   * it has a condition, but most reads of further processes are wasted.
   */
  claimPosts?(options: Omit<ClaimOptions, "id">): Promise<Row[]>;
  /**
   * Returns the smallest `due_at` of all rows in which the worker looks for due work (`sweptRows` in `schema.ts`),
   * where a negative one counts as its opposite; null: none is at or before `until`.
   */
  nextDueAt(until: number): Promise<number | null>;
  /**
   * Adds `by` to a counter and returns its new value. A counter that is absent, or whose expiry is at or before `now`,
   * starts at zero and expires at `expiresAt`; any other keeps its expiry. Counters need not survive a power loss.
   */
  increment(counter: { key: string; by: number; now: number; expiresAt: number }): Promise<number>;
  /**
   * Removes from the disk the remains of deleted and replaced rows. Called after an erasure and every hour,
   * concurrently with other calls. Absent: nothing remains, or the database cannot do it.
   *
   * @returns false if something remains because another process still reads an older state; a later call removes it
   */
  wipeDeleted?(): Promise<boolean>;
  /** Closes handles that the storage has opened; one that was passed in stays open. Safe to call twice. */
  close(): Promise<void>;
}

/** True: the error is a conflict of a `write` on a row of this collection. */
export function isConflictIn(collection: CollectionName, error: unknown): error is StorageConflict {
  return error instanceof StorageConflict && error.operation.collection === collection;
}

/** A collection whose rows are claimed by one process at a time. */
export type ClaimableCollection = (typeof claimableCollections)[number];

/** A `write` was not applied because of this operation. None of its operations has an effect. */
export class StorageConflict extends Error {
  override readonly name = "StorageConflict";
  /** The operation's index in the list. */
  readonly index: number;
  /** The given operation, or a copy. */
  readonly operation: Operation;
  /**
   * `exists`: the id is taken · `unique`: the named unique is taken · `missing`: no such row · `where`: a condition
   * does not match.
   */
  readonly reason: "exists" | "unique" | "missing" | "where";
  /** The unique's columns if `reason` is `unique`. */
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
