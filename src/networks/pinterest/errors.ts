import * as z from "zod";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { loginEnded, notReady, rateLimited, refused, type Where } from "../shared/error-rows.ts";

const openApi = "https://github.com/pinterest/api-description (2025-12)";
const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const rateLimits = "https://developers.pinterest.com/docs/reference/rate-limits/ (2026-10)";

/** https://github.com/pinterest/api-description, `Error` (2025-12) */
const body = z
  .object({ code: z.union([z.number(), z.string()]), message: z.string() })
  .transform(({ code, message }) => ({ codes: [String(code)], message }));

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
  const notAllowed = "Pinterest does not allow the account to use this board or Pin.";
  const trial = "https://github.com/gitroomhq/postiz-app/issues/1084 (2026-08)";
  const approval = "The app has Trial access at Pinterest, which cannot create Pins: apply for Standard access.";
  return [
    loginEnded(
      { status: 401, code: "2" },
      "Pinterest no longer accepts this access token: reconnect the account.",
      openApi,
    ),
    refused(
      { status: 401, code: "3" },
      "reauthentication_required",
      "The access token lacks a permission at Pinterest: reconnect the account and allow all permissions.",
      openApi,
    ),
    refused({ code: "29", contains: "Trial access" }, "internal_error", approval, trial),
    refused(["7", "29"], "rejected_by_network", notAllowed, openApi),
    refused({ status: 403, code: "403" }, "rejected_by_network", notAllowed, openApi),
    refused("2625", "profile_unavailable", "Pinterest has blocked the business account.", openApi),
    refused("2626", "profile_unavailable", "Pinterest is reviewing the business account.", openApi),
  ].flat();
}

function contents(): ErrorRow[] {
  const notFetched = "Pinterest could not fetch a file: its URL must be public and must not redirect.";
  const noId = "board_id or board_section_id is not a Pinterest id.";
  const inWords = (contains: string): Where => ({ status: 400, contains });
  return [
    notReady(inWords("Unable to reach the URL"), "media_error", notFetched, postiz),
    refused(inWords("invalid URL"), "invalid_request", "Pinterest rejects the link.", openApi),
    refused(inWords("does not match '^\\d+$'"), "invalid_request", noId, postiz),
    refused(inWords("maxItems=5"), "invalid_request", "A Pin has at most 5 images.", postiz),
    refused(
      inWords("cover_image_url or cover_image_content_type"),
      "invalid_request",
      "A video needs a cover.",
      postiz,
    ),
    refused({ status: 400, code: ["1", "400"] }, "invalid_request", "Pinterest rejected the Pin's content.", openApi),
  ].flat();
}

function boards(): ErrorRow[] {
  const noBoard = "There is no such board, or the account may not see it.";
  return [
    refused({ status: 404, code: "40" }, "invalid_request", noBoard, openApi),
    refused({ status: 404, code: "2031" }, "invalid_request", "The board has no such section.", openApi),
    refused({ status: 404, code: "50" }, "rejected_by_network", "There is no such Pin.", openApi),
    refused({ status: 404, code: "30" }, "profile_unavailable", "The account no longer exists at Pinterest.", openApi),
    refused({ status: 404, contains: "Board" }, "invalid_request", noBoard, openApi),
  ].flat();
}

function waits(): ErrorRow[] {
  const busy = ["exclusive access to the board", "Board section conflict"];
  return [
    ...busy.flatMap((contains) =>
      notReady({ status: 409, contains }, "network_error", "Another request is changing the board.", openApi),
    ),
    ...rateLimited({ status: 429 }, "Pinterest's rate limit is reached.", rateLimits),
  ];
}
