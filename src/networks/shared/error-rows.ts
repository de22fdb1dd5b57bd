import type { PublishingCode } from "../../wire/errors.ts";
import type { Effect, ErrorRow } from "../contract/errors.ts";

type Codes = string | readonly string[];

/** What an answer must have for a row: one of the network's codes, or of these, or all that an object names. */
export type Where =
  | Codes
  | (Pick<ErrorRow, "status" | "startsWith" | "contains" | "operation"> & {
      code?: Codes;
    });

/** It did nothing, and repeating it will not help. */
export function refused(where: Where, as: PublishingCode, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as, message, source, effect: "none" });
}

/** The access token is refused: it is renewed; if that fails, the account must be reconnected. */
export function loginEnded(where: Where, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as: "reauthentication_required", message, source, effect: "later", remedy: "refresh" });
}

/** @param scope whose limit it is: the profile's, or that of the host's app */
export function rateLimited(
  where: Where,
  message: string,
  source: string,
  scope: "profile" | "app" = "profile",
): ErrorRow[] {
  return rowsAt(where, { as: "network_error", message, source, effect: "later", remedy: "rate_limit", scope });
}

/** It did nothing yet: it is repeated after a little while. */
export function notReady(where: Where, as: PublishingCode, message: string, source: string): ErrorRow[] {
  return rowsAt(where, { as, message, source, effect: "later", remedy: "not_ready" });
}

/** The network no longer has what was staged: it is made anew. */
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
