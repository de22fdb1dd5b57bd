import type { ErrorTable } from "../../src/networks/contract/errors.ts";
import { type Refusal, readRefusal } from "../../src/networks/runtime/error-map.ts";

/** Reads refusals with a network's error table. @param now milliseconds since 1970. @default 0 */
export function refusalsBy(errors: ErrorTable, now = 0) {
  return (status: number, body: unknown, headers: Record<string, string> = {}, operation?: string): Refusal =>
    readRefusal({ status, headers: new Headers(headers), body }, errors, { now, operation });
}
