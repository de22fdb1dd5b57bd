import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, AccountLists, ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { htmlText, linkedText } from "./html.ts";
import { listsAll } from "./known.ts";
import { type Reach, type ReadList, readBelow, readSource, readStatuses, suchIn } from "./lists.ts";
import { type MastodonOptions, type Visibility, visibilityOf } from "./options.ts";
import { toPublished } from "./published.ts";
import type { Status } from "./status.ts";
import { isKnownToShow, type ListName, learnableLists, listsFor, rememberedAs, type Such, suchOf } from "./such.ts";
import { comparable, countAddresses, countPictureAddresses, textForms } from "./text.ts";

/** Maximum number of statuses per look whose source is read, among those that may be the part. */
const maxSources = 10;

/** Reads the account's newest posts back to `since`. A reply is looked for in every list, because some lists omit replies. */
export async function lookFor(context: NetworkContext, input: LookInput<MastodonOptions>): Promise<LookResult> {
  const lists: ReadList[] = [];
  const such = suchOf(input);
  for (const name of listsFor(input.profile, such)) {
    // Reads further back until the list shows a post like the part: from then on a missing post counts.
    const isEnough = (statuses: readonly Status[]): boolean => showsSuch({ name, statuses }, input);
    const list = await readList(context, name, input, { since: input.since, isEnough });
    if (list === null) continue;
    lists.push(list);
    if (such.place === "post" && list.isWhole && showsSuch(list, input)) break;
  }
  if (lists.length === 0) return { pending: "The instance's list of the account's posts could not be read." };
  const sources = await readSources(context, lists, input);
  return { parent: input.previous?.id ?? null, lists: lists.map((list) => toList(list, input, sources)) };
}

async function readList(
  context: NetworkContext,
  name: ListName,
  { previous }: CommitInput<MastodonOptions>,
  reach: Reach,
): Promise<ReadList | null> {
  if (name === "context") return previous === null ? null : readBelow(context, previous.id);
  return readStatuses(context, name, reach);
}

/** Lists of servers that are not known to list everything. */
export const lists: AccountLists<MastodonOptions> = {
  names(input) {
    const such = suchOf(input);
    return learnableLists(input.profile, such).map((list) => rememberedAs(list, input.profile, such));
  },

  async showing(context, published, input) {
    const such = suchOf(input);
    for (const name of learnableLists(input.profile, such)) {
      const read = await readList(context, name, input, { since: context.now() });
      if (read?.statuses.some(({ id }) => id === published.id)) return [rememberedAs(name, input.profile, such)];
    }
    return [];
  },
};

/** Reads the sources of statuses that do not show the part's text, if the server has a method for that. */
async function readSources(
  context: NetworkContext,
  lists: readonly ReadList[],
  input: LookInput<MastodonOptions>,
): Promise<Map<string, string>> {
  const wanted = new Set(textForms(input.part));
  const all = new Map(lists.flatMap(({ statuses }) => statuses.map((status) => [status.id, status])));
  const open = [...all.values()]
    .filter((status) => status.time >= input.since && status.text == null)
    .filter((status) => !shownTexts(status).some((text) => wanted.has(text)));
  const sources = new Map<string, string>();
  for (const { id } of open.slice(0, maxSources)) {
    const source = await readSource(context, id);
    if (source === null) break;
    sources.set(id, source);
  }
  return sources;
}

function toList(list: ReadList, input: LookInput<MastodonOptions>, sources: ReadonlyMap<string, string>): AccountList {
  return {
    posts: list.statuses.map((status) => toSeen(status, input, sources)),
    isWhole: list.isWhole,
    showsSuch: showsSuch(list, input),
    name: rememberedAs(list.name, input.profile, suchOf(input)),
  };
}

/** True: the list is known to show posts like the part, or shows one. */
function showsSuch(
  { name, statuses }: Pick<ReadList, "name" | "statuses">,
  input: CommitInput<MastodonOptions>,
): boolean {
  if (isKnownToShow(name, input.profile)) return true;
  const such = suchOf(input);
  const isLikeIt = (each: Such): boolean =>
    each.visibility === such.visibility && each.place === such.place && each.hasFiles === such.hasFiles;
  return learnableLists(input.profile, such).includes(name) && suchIn(statuses, input.profile).some(isLikeIt);
}

function toSeen(status: Status, input: LookInput<MastodonOptions>, sources: ReadonlyMap<string, string>): ListedPost {
  const source = sources.get(status.id);
  const sent = source ?? status.text ?? null;
  return {
    published: toPublished(status, input),
    created_at: status.time,
    texts: [...(source === undefined ? [] : [comparable(source)]), ...shownTexts(status)],
    // The original text of an edited post may have been different.
    ...(sent === null || status.edited_at != null ? {} : { source: comparable(sent) }),
    parent: status.in_reply_to_id ?? null,
    isSameKind: isSameKind(status, input),
    hasOtherReaders: hasOtherReaders(status, input),
    origin: markOf(status, input),
  };
}

function shownTexts({ text, content }: Status): string[] {
  const shown = [text ?? "", htmlText(content ?? ""), linkedText(content ?? "")];
  return [...new Set(shown.map(comparable))].filter((each) => each.trim() !== "");
}

/** A server may attach images whose URLs are in the text. If no text is left, any URL may have become an attachment. */
function isSameKind(status: Status, { part }: LookInput<MastodonOptions>): boolean {
  const { media_attachments, poll } = status;
  const files = (media_attachments ?? []).length;
  const attachable = shownTexts(status).length === 0 ? countAddresses(part.text) : countPictureAddresses(part.text);
  const most = part.media.length + attachable;
  const wanted = part.options.poll?.options ?? [];
  const options = poll?.options?.map(({ title }) => title) ?? [];
  return files >= part.media.length && files <= most && (poll == null || options.join("\n") === wanted.join("\n"));
}

/**
 * The visibilities that a server may show for a requested one. Small servers were seen to merge `public` and `unlisted`
 * (2026-11), and Mastodon makes public posts of a limited account `unlisted`.
 * https://github.com/mastodon/mastodon/blob/main/app/services/post_status_service.rb (2026-07)
 */
const shownVisibilities: Readonly<Record<Visibility, readonly Visibility[]>> = {
  public: ["public", "unlisted"],
  unlisted: ["unlisted", "public"],
  private: ["private"],
  direct: ["direct", "private"],
};

function hasOtherReaders({ visibility }: Status, { part, index }: LookInput<MastodonOptions>): boolean {
  const shown: readonly string[] = shownVisibilities[visibilityOf(part.options, index)];
  return visibility != null && !shown.includes(visibility);
}

/**
 * Whether the post has the files that were uploaded for the part. On servers other than Mastodon a file may get another
 * id, or keep its id only in its URL.
 */
function markOf(
  { media_attachments }: Status,
  { profile, part, staged }: LookInput<MastodonOptions>,
): ListedPost["origin"] {
  const ours = new Set(part.media.flatMap((_, index) => staged[`media_${index}`] ?? []));
  if (ours.size === 0) return null;
  if ((media_attachments ?? []).some(({ id, url }) => ours.has(id) || ours.has(lastStep(url ?? "")))) return "ours";
  return listsAll(profile) ? "foreign" : null;
}

function lastStep(url: string): string {
  return url.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
}
