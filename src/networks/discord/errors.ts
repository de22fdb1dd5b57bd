import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { notReady, rateLimited, refused, undecided } from "../shared/error-rows.ts";

const codes = "https://docs.discord.com/developers/topics/opcodes-and-status-codes (2026-08)";
const rateLimits = "https://docs.discord.com/developers/topics/rate-limits (2026-08)";
const reference = "https://docs.discord.com/developers/reference (2026-08)";

/** Our code for a 50035 that is about a file. */
const fileFieldCode = "50035 attachments";

/** `{ code, message, errors? }`; a rate limit may lack the code. https://docs.discord.com/developers/reference, "Error Messages" (2026-08) */
const body = z
  .object({ code: z.union([z.int(), z.string()]).nullish(), message: z.string(), errors: z.unknown().optional() })
  .transform(({ code, message, errors }) => {
    const fields = fieldErrors(errors, "");
    const aboutFile = code === 50035 && fields.some(({ path }) => /^(message\.)?(attachments|files)\b/.test(path));
    const lines = [message, ...fields.map((field) => `${field.path}: ${field.message}`)];
    const codes = code == null ? [] : [String(code)];
    return { codes: aboutFile ? [fileFieldCode] : codes, message: lines.join("; ").slice(0, 500) };
  });

const leaf = z.object({ _errors: z.array(z.object({ message: z.string() })) });

/** Flattens the tree under `errors` to one line per field: `embeds.0.title`. */
function fieldErrors(node: unknown, path: string): { path: string; message: string }[] {
  const parsed = leaf.safeParse(node);
  if (parsed.success) return parsed.data._errors.map(({ message }) => ({ path, message }));
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, each]) => fieldErrors(each, path === "" ? key : `${path}.${key}`));
}

export const errors: ErrorTable = {
  body,
  rows: [
    ...posts(),
    ...files(),
    ...channelKinds(),
    ...moderation(),
    ...credentials(),
    ...access(),
    ...limitsAndPauses(),
    ...service(),
  ],
  /** Seconds with decimals, in the body or in a header. Cloudflare's own responses have only the header. */
  rateLimitEnd(response, now) {
    const parsed = z.object({ retry_after: z.number() }).safeParse(response.body);
    const { headers } = response;
    const header = headers.get("x-ratelimit-reset-after") ?? headers.get("retry-after");
    const seconds = parsed.success ? parsed.data.retry_after : Number(header ?? Number.NaN);
    return Number.isFinite(seconds) && seconds >= 0 ? now + Math.ceil(seconds * 1000) : null;
  },
};

/** The machine code of an error. Null: the body is not the network's error. */
export function errorCode(answer: unknown): string | null {
  const parsed = body.safeParse(answer);
  return parsed.success ? (parsed.data.codes[0] ?? null) : null;
}

/** Matched by code, because the HTTP status is not documented. */
function listed(as: PublishingCode, message: string, ...numbers: readonly number[]): ErrorRow[] {
  return refused(numbers.map(String), as, message, codes);
}

function posts(): ErrorRow[] {
  return [
    ...refused(fileFieldCode, "media_error", "Discord rejected a file.", reference),
    ...listed("invalid_request", "Discord rejected the message's content.", 50035),
    ...listed("invalid_request", "Discord rejects empty messages.", 50006),
    ...listed("internal_error", "Discord could not read the request.", 50109),
    ...listed("invalid_request", "The message has more files than Discord accepts.", 30015),
    ...listed("rejected_by_network", "The message no longer exists.", 10008),
    ...listed("rejected_by_network", "To reply, the bot needs the permission Read Message History.", 160002),
  ];
}

function files(): ErrorRow[] {
  const tooLarge = "The files are larger than Discord accepts here.";
  return [
    ...listed("media_error", tooLarge, 40005, 50045),
    ...listed("media_error", "Discord could not process a file.", 50046, 50110, 50123, 50146),
    ...listed("rejected_by_network", "Uploads to this server are disabled at present: try again later.", 400001),
  ];
}

function channelKinds(): ErrorRow[] {
  const needsThread = "A forum or media channel accepts only posts with a title: set thread_name.";
  const noThread = "thread_name and applied_tags are for forum and media channels.";
  return [
    ...listed("invalid_request", "This forum requires a tag: set applied_tags.", 40067),
    ...listed("invalid_request", needsThread, 40058, 220001),
    ...listed("invalid_request", noThread, 220002, 220003),
    ...listed("unsupported", "This channel does not accept messages of this kind.", 220004, 50024, 50008),
    ...listed("invalid_request", "The message has a thread already.", 160004),
    ...listed("rejected_by_network", "The server has too many active threads: try again later.", 160006, 160007),
    ...listed("rejected_by_network", "The thread is locked or archived.", 160005, 50083),
  ];
}

function moderation(): ErrorRow[] {
  return [
    ...listed("rejected_by_network", "The server's AutoMod blocked the message.", 200000, 200001),
    ...listed("rejected_by_network", "Discord considers a link in it harmful.", 240000),
    ...listed("rejected_by_network", "Discord considers it explicit content.", 20009),
    ...listed("rejected_by_network", "This person accepts no messages from the bot.", 50007, 50278, 50033, 40007),
    ...listed("rejected_by_network", "The bot opens direct messages too fast: try again later.", 40003),
    ...listed("rejected_by_network", "Discord requires the account to be verified first.", 40002, 50178, 60003),
  ];
}

function credentials(): ErrorRow[] {
  const as = "reauthentication_required";
  // The user who connected the profile supplied the token, so only they can replace it.
  const deadToken = "Discord no longer accepts the bot's token: reconnect the profile.";
  return [
    ...refused({ status: 401, code: "0" }, as, deadToken, codes),
    ...listed(as, deadToken, 40001, 50014, 50025),
    ...listed(as, "The webhook was deleted or has a new URL: reconnect the profile.", 50027, 10015),
    ...listed(as, "The bot lacks an authorization: add it to the server again.", 50026, 40012),
  ];
}

function access(): ErrorRow[] {
  return [
    ...listed("profile_unavailable", "The bot has no access to the channel.", 50001),
    ...listed("profile_unavailable", "The channel no longer exists.", 10003),
    ...listed("profile_unavailable", "The bot is no longer in this server.", 10004),
    ...listed(
      "rejected_by_network",
      "The bot lacks a permission in the channel: Send Messages, with files Attach Files, with embeds Embed Links.",
      50013,
    ),
  ];
}

function limitsAndPauses(): ErrorRow[] {
  return [
    rateLimited(
      ["20016", "20022", "20028", "20029", "40062", "30046"],
      "Discord's limit for this channel or server is reached.",
      codes,
    ),
    notReady(["40004", "40006"], "network_error", "Discord has temporarily disabled this.", codes),
    rateLimited({ status: 429 }, "Discord's rate limit is reached.", rateLimits),
  ].flat();
}

function service(): ErrorRow[] {
  return [
    refused("40333", "internal_error", "Discord blocked the request without reading it.", reference),
    refused(
      { status: 413 },
      "media_error",
      "The files are larger than Discord accepts.",
      "https://github.com/discord/discord-api-docs/issues/8572 (2026-09)",
    ),
    undecided("130000", "Discord is overloaded.", codes),
  ].flat();
}
