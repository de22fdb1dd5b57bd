import { type CollectionName, collections } from "../../src/storage/schema.ts";
import type { Row, Storage } from "../../src/storage/storage.ts";

/** All that is stored but the counters, by collection, each by id. */
export async function allRows(storage: Storage): Promise<Record<CollectionName, Row[]>> {
  const order = { column: "id", direction: "asc" } as const;
  const names = Object.keys(collections) as CollectionName[];
  const found = await Promise.all(names.map((name) => storage.find(name, { where: {}, order })));
  return Object.fromEntries(names.map((name, at) => [name, found[at]?.rows ?? []])) as Record<CollectionName, Row[]>;
}
