import type { JsonObject } from "../wire/json.ts";
import type { Row } from "./storage.ts";

/**
 * Casts a stored row, which is plain JSON, to its type. Only the functions of this file cast rows to their types and
 * back.
 */
export function fromRow<Typed>(row: Row): Typed {
  return row as unknown as Typed;
}

export function toRow<Typed extends { id: string }>(typed: Typed): Row {
  return typed as unknown as Row;
}

/** As `toRow`, for a part of a row. */
export function toChange(typed: object): JsonObject {
  return typed as unknown as JsonObject;
}
