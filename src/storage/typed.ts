import type { JsonObject } from "../wire/json.ts";
import type { Row } from "./storage.ts";

/**
 * Rows are plain JSON; these two are the only places where a stored row is cast
 * to its type and back.
 */
export function fromRow<Typed>(row: Row): Typed {
  return row as unknown as Typed;
}

export function toRow<Typed extends { id: string }>(typed: Typed): Row {
  return typed as unknown as Row;
}

/** The same for a part of a row. */
export function toChange(typed: object): JsonObject {
  return typed as unknown as JsonObject;
}
