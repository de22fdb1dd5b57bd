import * as z from "zod";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";
import { loginEnded, rateLimited, refused } from "../shared/error-rows.ts";

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
    ...refused(
      { operation: operations.subscription, status: 403 },
      "reauthentication_required",
      "The account has not granted the required permissions: reconnect it.",
      manage,
    ),
    ...general(),
  ],
  rateLimitEnd({ headers }) {
    const seconds = Number(headers.get(resetHeader) ?? Number.NaN);
    return Number.isFinite(seconds) && seconds > 0 ? (seconds + 1) * 1000 : null;
  },
};

/** https://dev.twitch.tv/docs/api/reference#send-chat-message (2026-02) */
function lines(): ErrorRow[] {
  const { line: operation } = operations;
  return [
    refused(
      { operation, status: 422 },
      "invalid_request",
      "Twitch accepts at most 500 characters in a chat message.",
      reference,
    ),
    refused(
      { operation, status: 403 },
      "rejected_by_network",
      "The account is not allowed to write in this chat.",
      reference,
    ),
    refused(
      { operation, status: 400 },
      "rejected_by_network",
      "Twitch rejected the message: the one that it replies to may no longer exist.",
      reference,
    ),
  ].flat();
}

/** https://dev.twitch.tv/docs/api/reference#send-whisper (2026-02) */
function whispers(): ErrorRow[] {
  const { whisper: operation } = operations;
  const as = "rejected_by_network";
  return [
    // Its wording: (unconfirmed)
    refused(
      { operation, status: 401, contains: "phone" },
      as,
      "An account without a verified phone number cannot whisper.",
      reference,
    ),
    refused({ operation, status: 400 }, as, "Twitch delivers no whisper to this person.", reference),
    refused({ operation, status: 403 }, as, "The account is not allowed to send whispers.", reference),
    refused({ operation, status: 404 }, as, "This person's account no longer exists.", reference),
    // Three a second, a hundred a minute, and forty people a day: which one it is, is not said.
    rateLimited(
      { operation, status: 429 },
      "Twitch's limit of whispers is reached: three per second, and to forty people per day.",
      reference,
    ),
  ].flat();
}

function general(): ErrorRow[] {
  return [
    refused(
      { status: 401, contains: "Client ID" },
      "internal_error",
      "The access token was issued to a different app than the adapter's.",
      guide,
    ),
    loginEnded({ status: 401 }, "Twitch no longer accepts this access token: reconnect the account.", tokens),
    rateLimited({ status: 429 }, "Twitch's rate limit is reached.", guide),
  ].flat();
}
