import type { CollectionName } from "../../../src/storage/schema.ts";
import { collections } from "../../../src/storage/schema.ts";
import type { BenchDatabase } from "../../bench/database.ts";
import { fillLists, listedAt, longLists } from "../../bench/fill-lists.ts";
import { multiplyRow, type RowCopy } from "../../bench/multiply.ts";

const filled: readonly string[] = ["posts", "targets", "deliveries", "conversations", "messages"];
/** Later than any moment that is asked for, milliseconds. */
const farMs = 8e12;

/** Fills every collection: the long lists with so many rows, the others with a fifth as many. */
export async function fillAll(database: BenchDatabase, rows: number): Promise<void> {
  await fillLists(database, rows);
  for (const [name, { columns }] of Object.entries(collections)) {
    if (filled.includes(name)) continue;
    const collection = name as CollectionName;
    const id = `${collection}_original`;
    await database.storage.write([{ kind: "insert", collection, row: { id } }]);
    await multiplyRow(database, { collection, id }, copies(collection, columns, rows / 5));
    await database.storage.write([{ kind: "delete", collection, id }]);
  }
}

function* copies(collection: string, columns: Readonly<Record<string, string>>, rows: number): Iterable<RowCopy> {
  for (let number = 0; number < rows; number++) {
    const values = Object.keys(columns).map((column) => [column, filling(column, number)] as const);
    yield { columns: { id: `${collection}_${number}`, ...Object.fromEntries(values) } };
  }
}

/** An account has some profiles, keys and files, and few things have many rows of a kind. */
function filling(column: string, number: number): string | number {
  if (column === "account_id") return number % 400 === 0 ? longLists.accountId : `other_${number % 1_000}`;
  if (column === "network") return ["bluesky", "mastodon", "discord", "facebook"][number % 4] ?? "";
  if (column === "status" || column === "state") return number % 50 === 0 ? "settling" : "settled";
  if (column === "app_id") return `app_${number % 3}`;
  if (column === "created_at" || column === "last_use") return listedAt(number);
  if (column === "lease_until") return 0;
  if (["due_at", "changed_at"].includes(column)) return farMs + number;
  return ["part", "number", "seq", "epoch", "revision", "size_bytes", "bytes"].includes(column)
    ? number
    : `${column}_${number}`;
}
