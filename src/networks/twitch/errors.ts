import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";

const reference = "https://dev.twitch.tv/docs/api/reference (2026-02)";
const guide = "https://dev.twitch.tv/docs/api/guide/ (2026-09)";
const tokens = "https://dev.twitch.tv/docs/authentication/refresh-tokens/ (2026-09)";
const manage = "https://dev.twitch.tv/docs/eventsub/manage-subscriptions (2026-09)";

/** `{ error: "Bad Request", status: 400, message }`. There are no machine codes. https://dev.twitch.tv/docs/api/guide/ (2026-09) */
const body = z
  .object({ message: z.string() })
  .transform(({ message }): ErrorBody => ({ codes: [], message: message.slice(0, 500) }));

/** What requests call themselves, since the same status means something else for each. */
export const operations = { line: "line", whisper: "whisper", subscription: "subscription" } as const;

/** What is left when a limit is used up: seconds since 1970. https://dev.twitch.tv/docs/api/guide/ (2026-09) */
const resetHeader = "ratelimit-reset";

export const errors: ErrorTable = {
  body,
  rows: [
    ...lines(),
    ...whispers(),
    refused("reauthentication_required", "The account has not allowed the app what it needs: connect it again.", {
      ...{ operation: operations.subscription, status: 403, source: manage },
    }),
    ...general(),
  ],
  rateLimitEnd({ headers }) {
    const seconds = Number(headers.get(resetHeader) ?? Number.NaN);
    return Number.isFinite(seconds) && seconds > 0 ? (seconds + 1) * 1000 : null;
  },
};

function refused(as: PublishingCode, message: string, row: Partial<ErrorRow> & { source: string }): ErrorRow {
  return { ...row, as, message, effect: "none" } as ErrorRow;
}

/** https://dev.twitch.tv/docs/api/reference#send-chat-message (2026-02) */
function lines(): ErrorRow[] {
  const row = { operation: operations.line, source: reference };
  return [
    refused("invalid_request", "Twitch takes at most 500 characters in a line.", { ...row, status: 422 }),
    refused("rejected_by_network", "The account may not write in this chat.", { ...row, status: 403 }),
    refused("rejected_by_network", "Twitch did not take the line: what it answers may be gone.", {
      ...{ ...row, status: 400 },
    }),
  ];
}

/** https://dev.twitch.tv/docs/api/reference#send-whisper (2026-02) */
function whispers(): ErrorRow[] {
  const row = { operation: operations.whisper, source: reference };
  const rejected = (status: number, message: string): ErrorRow =>
    refused("rejected_by_network", message, { ...row, status });
  return [
    // Its wording: (unconfirmed)
    refused("rejected_by_network", "An account without a verified phone number cannot whisper.", {
      ...{ ...row, status: 401, contains: "phone" },
    }),
    rejected(400, "Twitch delivers no whisper to this person."),
    rejected(403, "The account may not send whispers."),
    rejected(404, "This person is not there any more."),
    // Three a second, a hundred a minute, and forty people a day: which one it is, is not said.
    {
      ...row,
      status: 429,
      as: "network_error",
      message: "Twitch takes no more whispers for now: three a second, and to forty people a day.",
      effect: "later",
      remedy: "rate_limit",
    },
  ];
}

function general(): ErrorRow[] {
  return [
    refused("internal_error", "The login came from another app than the one that it is used with.", {
      ...{ status: 401, contains: "Client ID", source: guide },
    }),
    {
      status: 401,
      as: "reauthentication_required",
      message: "Twitch no longer takes this login: connect the account again.",
      effect: "later",
      remedy: "refresh",
      source: tokens,
    },
    {
      status: 429,
      as: "network_error",
      message: "Twitch takes no more requests for now.",
      effect: "later",
      remedy: "rate_limit",
      source: guide,
    },
  ];
}
