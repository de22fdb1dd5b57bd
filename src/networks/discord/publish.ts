import { createHash } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput, CommitRequest, KeySubject } from "../contract/commit.ts";
import type { IdentifiedPart, PublishedPart } from "../contract/plan.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, permalink } from "./api.ts";
import { errorCode } from "./errors.ts";
import { messageFiles } from "./files.ts";
import { holdsThreads, type Known, type KnownBot, readKnown } from "./known.ts";
import { lookFor } from "./look-for.ts";
import { textForms } from "./match.ts";
import { messageBody, threadName } from "./message.ts";
import type { DiscordOptions } from "./options.ts";
import { snowflake } from "./snowflake.ts";

/**
 * A bot's message carries a nonce: within "the past few minutes" a repeated request returns the first message. After
 * that the channel is read. https://docs.discord.com/developers/resources/message, "Create Message" (2026-08)
 */
const messageRules: CommitRules = { ...readBackRules, hardEndSeconds: 15, replaySeconds: 100 };
/** A request that creates a thread has no nonce. https://github.com/discord/discord-api-docs/pull/6647 (2026-08) */
const threadRules: CommitRules = { ...readBackRules, hardEndSeconds: 60 };
/** No nonce and no list to read, so the one look is inconclusive. */
const webhookRules: CommitRules = {
  ...readBackRules,
  hardEndSeconds: 60,
  settleSeconds: { text: 0, image: 0, video: 0 },
  emptyReads: 1,
};

export const publisher = {
  rules: (profile) => rulesFor(readKnown(profile)),
  key: nonceOf,

  commit(input) {
    const known = readKnown(input.profile);
    if (known.kind === "webhook") return withFiles(input, webhookRequest(input, known.webhook_id));
    return withFiles(input, holdsThreads(known) ? threadRequest(input, known) : messageRequest(input, known));
  },

  accepted({ body }, input) {
    const live = publishedPart(body, readKnown(input.profile));
    return live && { live };
  },

  confirm,
  unconfirmed: "Discord did not publish the message to the channels that follow this one",
  lookFor,
  textForms,
} satisfies Publisher<DiscordOptions>;

function rulesFor(known: Known): CommitRules {
  if (known.kind === "webhook") return webhookRules;
  return holdsThreads(known) ? threadRules : messageRules;
}

/** At most 25 characters. https://docs.discord.com/developers/resources/message, "Create Message" (2026-08) */
const nonceLength = 22;

/** The same for the same body, so a repeated request returns the earlier message while Discord remembers it. */
function nonceOf({ subjectId, part, bodyHash }: KeySubject): string {
  const digest = createHash("sha256").update(`${subjectId}/${part}/${bodyHash}`).digest("base64url");
  return digest.slice(0, nonceLength);
}

type PlainRequest = Pick<CommitRequest, "method" | "url"> & { json: JsonObject };

function messageRequest({ part, key }: CommitInput<DiscordOptions>, known: KnownBot): PlainRequest {
  const { reply_to } = part.options;
  return {
    method: "POST",
    url: endpoint(["channels", known.channel_id, "messages"]),
    json: {
      ...messageBody(part),
      ...(reply_to === undefined ? {} : { message_reference: { message_id: reply_to, fail_if_not_exists: false } }),
      nonce: key,
      enforce_nonce: true,
    },
  };
}

function threadRequest({ part }: CommitInput<DiscordOptions>, known: KnownBot): PlainRequest {
  const { applied_tags } = part.options;
  return {
    method: "POST",
    url: endpoint(["channels", known.channel_id, "threads"]),
    json: {
      name: threadName(part) ?? "",
      ...(applied_tags === undefined ? {} : { applied_tags }),
      message: messageBody(part),
    },
  };
}

function webhookRequest({ part, secret }: CommitInput<DiscordOptions>, webhookId: string): PlainRequest {
  const { username, avatar_url, thread_name, applied_tags } = part.options;
  const given = { username, avatar_url, thread_name, applied_tags };
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    method: "POST",
    // Without `wait` Discord responds before it stores the message, and rejects it silently.
    url: endpoint(["webhooks", webhookId, String(secret.webhook_token)], { wait: "true" }),
    json: { ...messageBody(part), ...(own as JsonObject) },
  };
}

function withFiles({ part }: CommitInput<DiscordOptions>, { json, ...request }: PlainRequest): CommitRequest {
  if (part.media.length === 0) return { ...request, body: { json } };
  const files = messageFiles(part.media, part.options.spoiler ?? false);
  return { ...request, body: { multipart: [{ name: "payload_json", json }, ...files] } };
}

const createdSchema = z.object({ id: snowflake, channel_id: snowflake.nullish() });

/** Parses a message, or a thread, which has the id of its first message. */
function publishedPart(body: unknown, known: Known): IdentifiedPart | null {
  const parsed = createdSchema.safeParse(body);
  if (!parsed.success) return null;
  const { id } = parsed.data;
  // A thread's response names no channel, because the thread is the channel.
  const channelId = parsed.data.channel_id ?? id;
  const url = known.guild_id === null ? null : permalink(known.guild_id, channelId, id);
  return { id, url, ref: { channel_id: channelId } };
}

/** "This message has already been crossposted." https://docs.discord.com/developers/topics/opcodes-and-status-codes (2026-08) */
const alreadyCrossposted = "40033";

/** Publishes a message to the channels that follow this announcement channel, if requested. */
async function confirm(
  context: NetworkContext,
  published: PublishedPart,
  input: CommitInput<DiscordOptions>,
): Promise<PublishedPart> {
  const known = readKnown(context.profile);
  const isWanted = known.channel_type === "announcement" && input.part.options.crosspost === true;
  if (!isWanted || published.id === null) return published;
  const response = await context.request({
    method: "POST",
    url: endpoint(["channels", known.channel_id, "messages", published.id, "crosspost"]),
    accept: [400],
  });
  const code = errorCode(response.body);
  if (response.status === 400 && code !== alreadyCrossposted)
    throw new PublishingError("rejected_by_network", `Discord rejected it (code ${code}).`);
  return published;
}
