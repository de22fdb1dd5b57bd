import { z } from "zod";
import type { LocateInput, PublishedPart, Sighting } from "../adapter.ts";
import type { NetworkContext } from "../request.ts";
import { htmlText, linkedText } from "./html.ts";
import { readOptions } from "./options.ts";
import { comparable } from "./text.ts";

/** Newest first, at most 40 a page. https://docs.joinmastodon.org/methods/accounts/#statuses (2026-07) */
const pageSize = 40;
const mostPages = 5;

/** https://docs.joinmastodon.org/entities/Status/ (2026-07); `text`, the source, only on some servers. */
const statusSchema = z.object({
  id: z.string().min(1),
  created_at: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
  url: z.string().nullish(),
  uri: z.string().nullish(),
  content: z.string().nullish(),
  text: z.string().nullish(),
  in_reply_to_id: z.string().nullish(),
  media_attachments: z.array(z.object({ id: z.string() })).nullish(),
  reblog: z.unknown().optional(),
});

type Status = z.infer<typeof statusSchema>;

/** Reads the account's newest posts back to `since` and compares them with the part. */
export async function locate(context: NetworkContext, input: LocateInput): Promise<Sighting> {
  const { statuses, complete } = await newestStatuses(context, input.since);
  const alike = statuses.filter((status) => isAlike(status, input));
  const withOurFiles = alike.filter((status) => hasStagedMedia(status, input));
  const found = withOurFiles.length > 0 ? withOurFiles : alike;
  return { candidates: found.map(toPublished), complete };
}

async function newestStatuses(
  context: NetworkContext,
  since: number,
): Promise<{ statuses: Status[]; complete: boolean }> {
  const statuses = new Map<string, Status>();
  let last: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const found = z.array(statusSchema).safeParse(await readPage(context, last));
    if (!found.success) return { statuses: [...statuses.values()], complete: false };
    const oldest = found.data.at(-1);
    const known = statuses.size;
    for (const status of found.data) if (createdAt(status) >= since) statuses.set(status.id, status);
    if (oldest === undefined || createdAt(oldest) < since) return { statuses: [...statuses.values()], complete: true };
    // A server that gives the same page again cannot be read further back.
    if (statuses.size === known) break;
    last = oldest.id;
  }
  return { statuses: [...statuses.values()], complete: false };
}

function createdAt(status: Status): number {
  return Date.parse(status.created_at);
}

async function readPage({ profile, request }: NetworkContext, maxId: string | null): Promise<unknown> {
  const account = encodeURIComponent(String(profile.known.account_id));
  const url = new URL(`https://${profile.host}/api/v1/accounts/${account}/statuses`);
  url.searchParams.set("limit", String(pageSize));
  url.searchParams.set("exclude_reblogs", "true");
  if (maxId !== null) url.searchParams.set("max_id", maxId);
  return (await request({ method: "GET", url: url.href })).body;
}

function isAlike(status: Status, input: LocateInput): boolean {
  return (
    status.reblog == null &&
    (status.in_reply_to_id ?? null) === (input.previous?.id ?? null) &&
    (status.media_attachments ?? []).length === input.part.media.length &&
    hasText(status, input)
  );
}

function hasText({ text, content }: Status, { part }: LocateInput): boolean {
  // Mastodon makes a content warning without a text the text. https://github.com/mastodon/mastodon/blob/main/app/services/post_status_service.rb (2026-07)
  const wanted = part.text.trim() === "" ? ["", readOptions(part).spoiler_text ?? ""] : [part.text];
  const shown = [text ?? "", htmlText(content ?? ""), linkedText(content ?? "")];
  if (wanted.includes("") && shown.every((each) => comparable(each) === "")) return true;
  return wanted.some((each) => each !== "" && shown.some((other) => comparable(other) === comparable(each)));
}

function hasStagedMedia({ media_attachments }: Status, { part, staged }: LocateInput): boolean {
  const ours = new Set(part.media.map((_, index) => staged[`media_${index}`]));
  return (media_attachments ?? []).some(({ id }) => ours.has(id));
}

function toPublished({ id, url, uri }: Status): PublishedPart {
  return { id, url: url ?? uri ?? null, ref: null };
}
