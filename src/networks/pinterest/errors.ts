import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";

const openApi = "https://github.com/pinterest/api-description (2025-12)";
const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const rateLimits = "https://developers.pinterest.com/docs/reference/rate-limits/ (2026-10)";

/** https://github.com/pinterest/api-description, `Error` (2025-12) */
const body = z
  .object({ code: z.union([z.number(), z.string()]), message: z.string() })
  .transform(({ code, message }) => ({ codes: [String(code)], message }));

type Where = Pick<ErrorRow, "status" | "code" | "contains">;

function refused(as: PublishingCode, where: Where, message: string, source = openApi): ErrorRow {
  return { ...where, as, message, effect: "none", source };
}

/** The code decides before the status does: 401 is said of boards, too, where the token is fine. */
export const errors: ErrorTable = {
  body,
  rows: [...access(), ...contents(), ...boards(), ...waits()],
  /** Seconds from now; what looks like a time since 1970 is one (unconfirmed). https://developers.pinterest.com/docs/reference/rate-limits/ (2026-10) */
  rateLimitEnd({ headers }, now) {
    const header = headers.get("x-ratelimit-reset");
    const seconds = header === null || header.trim() === "" ? Number.NaN : Number(header);
    if (!Number.isFinite(seconds) || seconds < 0) return null;
    // Whole seconds, perhaps rounded down.
    return seconds > 1_000_000_000 ? (seconds + 1) * 1000 : now + seconds * 1000;
  },
};

function access(): ErrorRow[] {
  const notAllowed = "Pinterest does not let the account use this board or Pin.";
  const trial = "https://github.com/gitroomhq/postiz-app/issues/1084 (2026-08)";
  const approval = "The app has Trial access at Pinterest, which may make no Pins: apply for Standard access.";
  return [
    {
      ...{ status: 401, code: "2", as: "reauthentication_required", effect: "later", remedy: "refresh" },
      ...{ message: "Pinterest no longer takes this login: connect the account again.", source: openApi },
    },
    refused(
      "reauthentication_required",
      { status: 401, code: "3" },
      "The login lacks a right at Pinterest: connect the account again and allow all of it.",
    ),
    refused("internal_error", { code: "29", contains: "Trial access" }, approval, trial),
    refused("rejected_by_network", { code: "7" }, notAllowed),
    refused("rejected_by_network", { code: "29" }, notAllowed),
    refused("rejected_by_network", { status: 403, code: "403" }, notAllowed),
    refused("profile_unavailable", { code: "2625" }, "Pinterest has blocked the business account."),
    refused("profile_unavailable", { code: "2626" }, "Pinterest is looking into the business account."),
  ];
}

function contents(): ErrorRow[] {
  return [
    {
      ...{
        status: 400,
        contains: "Unable to reach the URL",
        as: "media_error",
        effect: "later",
        remedy: "not_ready",
      },
      ...{ message: "Pinterest could not fetch a file: it must be public, and answered directly.", source: postiz },
    },
    refused("invalid_request", { status: 400, contains: "invalid URL" }, "Pinterest does not take the link."),
    refused(
      "invalid_request",
      { status: 400, contains: "does not match '^\\d+$'" },
      "board_id or board_section_id is no id of Pinterest.",
      postiz,
    ),
    refused("invalid_request", { status: 400, contains: "maxItems=5" }, "A Pin has at most 5 pictures.", postiz),
    refused(
      "invalid_request",
      { status: 400, contains: "cover_image_url or cover_image_content_type" },
      "A video needs a cover.",
      postiz,
    ),
    refused("invalid_request", { status: 400, code: "1" }, "Pinterest did not take the Pin as it is."),
    refused("invalid_request", { status: 400, code: "400" }, "Pinterest did not take the Pin as it is."),
  ];
}

function boards(): ErrorRow[] {
  const noBoard = "There is no such board, or the account may not see it.";
  return [
    refused("invalid_request", { status: 404, code: "40" }, noBoard),
    refused("invalid_request", { status: 404, code: "2031" }, "The board has no such section."),
    refused("rejected_by_network", { status: 404, code: "50" }, "There is no such Pin."),
    refused("profile_unavailable", { status: 404, code: "30" }, "Pinterest does not know the account any more."),
    refused("invalid_request", { status: 404, contains: "Board" }, noBoard),
  ];
}

function waits(): ErrorRow[] {
  const busy = "Somebody else is changing the board.";
  return [
    ...["exclusive access to the board", "Board section conflict"].map(
      (contains): ErrorRow => ({
        ...{ status: 409, contains, as: "network_error", message: busy, source: openApi },
        ...{ effect: "later", remedy: "not_ready" },
      }),
    ),
    {
      ...{ status: 429, as: "network_error", message: "Pinterest's rate limit is reached.", source: rateLimits },
      ...{ effect: "later", remedy: "rate_limit" },
    },
  ];
}
