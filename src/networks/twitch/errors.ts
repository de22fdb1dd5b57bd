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
      "The account has not allowed the app what it needs: connect it again.",
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
    refused({ operation, status: 422 }, "invalid_request", "Twitch takes at most 500 characters in a line.", reference),
    refused({ operation, status: 403 }, "rejected_by_network", "The account may not write in this chat.", reference),
    refused(
      { operation, status: 400 },
      "rejected_by_network",
      "Twitch did not take the line: what it answers may be gone.",
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
    refused({ operation, status: 403 }, as, "The account may not send whispers.", reference),
    refused({ operation, status: 404 }, as, "This person is not there any more.", reference),
    // Three a second, a hundred a minute, and forty people a day: which one it is, is not said.
    rateLimited(
      { operation, status: 429 },
      "Twitch takes no more whispers for now: three a second, and to forty people a day.",
      reference,
    ),
  ].flat();
}

function general(): ErrorRow[] {
  return [
    refused(
      { status: 401, contains: "Client ID" },
      "internal_error",
      "The login came from another app than the one that it is used with.",
      guide,
    ),
    loginEnded({ status: 401 }, "Twitch no longer takes this login: connect the account again.", tokens),
    rateLimited({ status: 429 }, "Twitch takes no more requests for now.", guide),
  ].flat();
}
