import type { PublishingCode } from "../../wire/errors.ts";
import type { Effect, ErrorRow } from "../contract/errors.ts";

type Codes = string | readonly string[];

/** The condition of a row: a code, one of several codes, or all conditions of an object. */
export type Where =
  | Codes
  | (Pick<ErrorRow, "status" | "startsWith" | "contains" | "operation"> & {
      code?: Codes;
    });

/** The network did nothing, and a retry will not help. */
export function refused(where: Where, as: PublishingCode, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as, message, source, effect: "none" });
}

/** The network rejects the access token. The service renews it; if that fails, the account must be reconnected. */
export function loginEnded(where: Where, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as: "reauthentication_required", message, source, effect: "later", remedy: "refresh" });
}

/** @param scope whose limit it is: the profile's, or the limit of the host's app */
export function rateLimited(
  where: Where,
  message: string,
  source: string,
  scope: "profile" | "app" = "profile",
): ErrorRow[] {
  return rowsAt(where, { as: "network_error", message, source, effect: "later", remedy: "rate_limit", scope });
}

/** The network did nothing yet. The service retries after a short wait. */
export function notReady(where: Where, as: PublishingCode, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as, message, source, effect: "later", remedy: "not_ready" });
}

/** The network no longer has the staged data. The service stages it again. */
export function stagedGone(where: Where, as: PublishingCode, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as, message, source, effect: "later", remedy: "stage_again" });
}

/** It may have been done. */
export function undecided(where: Where, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as: "network_error", message, source, effect: "unknown" });
}

function rowsAt(where: Where, row: Pick<ErrorRow, "as" | "message" | "source"> & Effect): ErrorRow[] {
  const { code, ...conditions } = isCodes(where) ? { code: where } : where;
  if (code === undefined) return [{ ...conditions, ...row }];
  return [code].flat().map((each) => ({ ...conditions, code: each, ...row }));
}

function isCodes(where: Where): where is Codes {
  return typeof where === "string" || Array.isArray(where);
}
