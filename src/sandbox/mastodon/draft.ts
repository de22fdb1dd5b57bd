import * as z from "zod";
import { countText } from "../../text/count.ts";
import { countGraphemes } from "../../text/graphemes.ts";
import type { SandboxAccount } from "./accounts.ts";
import { keptText, type Poll, pollSchema, type StoredStatus } from "./entities.ts";
import { pollLimits } from "./instances.ts";
import type { MediaStore, StoredMedia } from "./media.ts";
import { invalid, Refusal } from "./refusal.ts";
import type { InstanceWays, Visibility } from "./ways.ts";

/** The fields of the body that the server reads; it ignores all others. */
export const bodySchema = z.object({
  status: z.string().default(""),
  media_ids: z.array(z.string()).default([]),
  poll: pollSchema.optional(),
  in_reply_to_id: z.string().nullish(),
  visibility: z.string().nullish(),
  spoiler_text: z.string().default(""),
  sensitive: z.boolean().optional(),
  language: z.string().nullish(),
  quoted_status_id: z.string().nullish(),
  scheduled_at: z.unknown().optional(),
});

export type StatusBody = z.infer<typeof bodySchema>;

/** A post's content, without its position and ids. */
export type Draft = Omit<
  StoredStatus,
  "id" | "account" | "created_at" | "edited_at" | "isApproved" | "address" | "reply_to" | "quoted"
>;

const visibilities: readonly string[] = ["public", "unlisted", "private", "direct"] satisfies Visibility[];

/** @throws Refusal if the instance rejects it */
export function draftOf(account: SandboxAccount, given: StatusBody, media: MediaStore): Draft {
  const { ways } = account.instance;
  const body = withoutDropped(given, ways);
  const files = filesOf(account, body, media);
  // A content warning without a text becomes the text.
  const isWarningOnly = body.status.trim() === "" && body.spoiler_text !== "";
  const sent = isWarningOnly ? body.spoiler_text : body.status;
  const spoiler_text = isWarningOnly ? "" : body.spoiler_text;
  if (sent.trim() === "" && files.length === 0) throw invalid("Text can't be blank");
  assertLength(account, spoiler_text, sent);
  if (body.poll !== undefined) assertPoll(body.poll);
  const { text, addresses } = withoutAddresses(sent, ways);
  return {
    sent,
    ...keptText(text),
    spoiler_text,
    sensitive: body.sensitive ?? spoiler_text !== "",
    visibility: visibilityOf(body, ways),
    language: body.language ?? null,
    media: [...files, ...addresses.map((address) => media.addRemote(account, address))],
    poll: body.poll ?? null,
  };
}

function withoutDropped(body: StatusBody, { drops }: InstanceWays): StatusBody {
  const dropped = new Set<string>(drops);
  return bodySchema.parse(Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.has(name))));
}

function filesOf(account: SandboxAccount, { media_ids, poll }: StatusBody, media: MediaStore): StoredMedia[] {
  const { max_media } = account.instance;
  if (media_ids.length > max_media || (media_ids.length > 0 && poll !== undefined))
    throw new Refusal(422, `Cannot attach more than ${max_media} files`);
  return media.forPost(account, media_ids);
}

/** The account's default is `unlisted` here, which callers may not expect. */
function visibilityOf({ visibility }: StatusBody, { visibilityBecomes }: InstanceWays): Visibility {
  const asked = visibility ?? "unlisted";
  if (!visibilities.includes(asked)) throw invalid("Visibility is not included in the list");
  return visibilityBecomes[asked as Visibility] ?? (asked as Visibility);
}

/** An image's URL, also in Markdown. */
const imageAddress = /!\[[^\]\n]*\]\((https?:\/\/[^\s()]+)\)|(https?:\/\/[^\s<>"]+\.(?:png|jpe?g|gif|webp))(?=\s|$)/gi;

function withoutAddresses(sent: string, { imageAddresses }: InstanceWays): { text: string; addresses: string[] } {
  if (imageAddresses === "text") return { text: sent, addresses: [] };
  const addresses = Array.from(sent.matchAll(imageAddress), ([, marked, bare]) => marked ?? bare ?? "");
  return { text: imageAddresses === "moved" ? sent.replace(imageAddress, "").trim() : sent, addresses };
}

/** https://docs.joinmastodon.org/user/posting/ (2026-07) */
function assertLength({ instance }: SandboxAccount, spoilerText: string, text: string): void {
  const { max_characters: max, url_length } = instance;
  const length = countText(spoilerText + text, { max, unit: "graphemes", url_length, bare_mentions: true });
  if (length > max) throw invalid(`Text character limit of ${max} exceeded`);
}

function assertPoll({ options, expires_in }: Poll): void {
  const { max_options, max_characters_per_option: longest, min_expiration, max_expiration } = pollLimits;
  if (options.length < 2) throw invalid("Options must have more than one item");
  if (options.length > max_options) throw invalid(`Options can't contain more than ${max_options} items`);
  if (options.some((option) => countGraphemes(option) > longest))
    throw invalid(`Options cannot be longer than ${longest} characters each`);
  if (expires_in < min_expiration) throw invalid("Expires at is too soon");
  if (expires_in > max_expiration) throw invalid("Expires at is too far into the future");
}
