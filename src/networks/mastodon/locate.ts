import type { CommitInput } from "../contract/commit.ts";
import type { NetworkContext } from "../contract/request.ts";
import type { AccountList, AccountLists, LocateInput, SeenPost, Sighting } from "../contract/sighting.ts";
import { htmlText, linkedText } from "./html.ts";
import { knownAccount, listsAll } from "./known.ts";
import { type ReadList, readSource, readStatuses } from "./lists.ts";
import { type MastodonOptions, visibilityOf } from "./options.ts";
import { toPublished } from "./published.ts";
import type { Status } from "./status.ts";
import { comparable, countPictureAddresses, says } from "./text.ts";

/** Statuses of one look whose source is asked for, at most: of those that may be the part. */
const maxSources = 10;

/** Reads the account's newest posts back to `since`. */
export async function locate(context: NetworkContext, input: LocateInput<MastodonOptions>): Promise<Sighting> {
  const lists: ReadList[] = [];
  for (const name of namesFor(input)) {
    const list = await readStatuses(context, name, input.since);
    if (list === null) continue;
    lists.push(list);
    if (list.isWhole && showsSuch(list, input)) break;
  }
  if (lists.length === 0) return { pending: "The instance's list of the account's posts could not be read." };
  const sources = await readSources(context, lists, input);
  return { parent: input.previous?.id ?? null, lists: lists.map((list) => toList(list, input, sources)) };
}

/** Lists of servers that are not known to show everything. */
export const lists: AccountLists<MastodonOptions> = {
  names(input) {
    return listsAll(input.profile) ? [] : namesFor(input).map((list) => nameOf(list, input));
  },

  async showing(context, published, input) {
    for (const list of namesFor(input)) {
      const read = await readStatuses(context, list, context.now());
      if (read?.statuses.some(({ id }) => id === published.id)) return [nameOf(list, input)];
    }
    return [];
  },
};

/**
 * Seen on a small server (2026-11): the account's own list leaves out what is
 * not public, and is one long page; the home timeline shows it all.
 */
function namesFor({ profile }: CommitInput<MastodonOptions>): ReadList["name"][] {
  return listsAll(profile) ? ["account"] : ["home", "account"];
}

/** What a list must have shown before its silence counts: the same software, visibility and kind. */
function nameOf(list: ReadList["name"], { profile, part, index, previous }: CommitInput<MastodonOptions>): string {
  const visibility = visibilityOf(part.options, index);
  return [list, knownAccount(profile).version, visibility, ...kindOf(previous !== null, part.media.length > 0)].join(
    " ",
  );
}

function kindOf(isReply: boolean, hasFiles: boolean): string[] {
  return [isReply ? "reply" : "post", hasFiles ? "files" : "text"];
}

/** Only where the list itself does not show the part's words, and only where the server has such a question. */
async function readSources(
  context: NetworkContext,
  lists: readonly ReadList[],
  input: LocateInput<MastodonOptions>,
): Promise<Map<string, string>> {
  const wanted = new Set(says(input.part));
  const open = lists
    .flatMap(({ statuses }) => statuses)
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

function toList(
  list: ReadList,
  input: LocateInput<MastodonOptions>,
  sources: ReadonlyMap<string, string>,
): AccountList {
  return {
    posts: list.statuses.map((status) => toSeen(status, input, sources)),
    isWhole: list.isWhole,
    showsSuch: showsSuch(list, input),
    name: nameOf(list.name, input),
  };
}

function showsSuch({ statuses }: ReadList, input: CommitInput<MastodonOptions>): boolean {
  return listsAll(input.profile) || statuses.some((status) => isSuch(status, input));
}

/** A post of the part's visibility and kind, whichever. */
function isSuch(
  { visibility, in_reply_to_id, media_attachments }: Status,
  { part, index, previous }: CommitInput<MastodonOptions>,
): boolean {
  const kind = kindOf(in_reply_to_id != null, (media_attachments ?? []).length > 0);
  const wanted = kindOf(previous !== null, part.media.length > 0);
  return visibility === visibilityOf(part.options, index) && kind.join() === wanted.join();
}

function toSeen(status: Status, input: LocateInput<MastodonOptions>, sources: ReadonlyMap<string, string>): SeenPost {
  const source = sources.get(status.id);
  return {
    published: toPublished(status, input),
    created_at: status.time,
    texts: [...(source === undefined ? [] : [comparable(source)]), ...shownTexts(status)],
    parent: status.in_reply_to_id ?? null,
    isSameKind: isSameKind(status, input),
    mark: markOf(status, input),
  };
}

function shownTexts({ text, content }: Status): string[] {
  const shown = [text ?? "", htmlText(content ?? ""), linkedText(content ?? "")];
  return [...new Set(shown.map(comparable))].filter((each) => each.trim() !== "");
}

/** A server may attach the pictures whose addresses the text holds. */
function isSameKind({ media_attachments, poll }: Status, { part }: LocateInput<MastodonOptions>): boolean {
  const files = (media_attachments ?? []).length;
  const most = part.media.length + countPictureAddresses(part.text);
  const wanted = part.options.poll?.options ?? [];
  const options = poll?.options?.map(({ title }) => title) ?? [];
  return files >= part.media.length && files <= most && (poll == null || options.join("\n") === wanted.join("\n"));
}

/** By the files that were uploaded for it. Elsewhere than on Mastodon itself a file may get another id, or keep its own in its address only. */
function markOf(
  { media_attachments }: Status,
  { profile, part, staged }: LocateInput<MastodonOptions>,
): SeenPost["mark"] {
  const ours = new Set(part.media.flatMap((_, index) => staged[`media_${index}`] ?? []));
  if (ours.size === 0) return null;
  if ((media_attachments ?? []).some(({ id, url }) => ours.has(id) || ours.has(lastStep(url ?? "")))) return "ours";
  return listsAll(profile) ? "foreign" : null;
}

function lastStep(url: string): string {
  return url.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
}
