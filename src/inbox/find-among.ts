import type { CollectionName } from "../storage/schema.ts";
import type { Storage, Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";

/**
 * Finds the rows whose column has one of the values. Without values it sends no query, because most polls find nothing
 * new.
 */
export async function findAmong<Kept>(
  storage: Storage,
  collection: CollectionName,
  { column, among, where = {} }: { column: string; among: readonly string[]; where?: Where },
): Promise<Kept[]> {
  if (among.length === 0) return [];
  const { rows } = await storage.find(collection, { where: { ...where, [column]: { in: among } }, isCounted: false });
  return rows.map((row) => fromRow<Kept>(row));
}
