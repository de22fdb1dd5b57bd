import type { CommitInput } from "../contract/commit.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import { knownAccount, listsAll, showsAllAtHome } from "./known.ts";
import { type MastodonOptions, type Visibility, visibilities, visibilityOf } from "./options.ts";
import type { Status } from "./status.ts";

/** The lists to look for posts in: the account's own, the home timeline, and the posts below the parent of a reply. */
export type ListName = "account" | "home" | "context";

/** The properties that decide whether a list shows a post. */
export interface Such {
  visibility: Visibility;
  /** `thread`: continues a post of the account itself · `answer`: replies to another user's post. */
  place: "post" | "thread" | "answer";
  hasFiles: boolean;
}

/** The kind of the part. */
export function suchOf({ part, index, previous }: CommitInput<MastodonOptions>): Such {
  const visibility = visibilityOf(part.options, index);
  const replies = index === 0 ? "answer" : "thread";
  return { visibility, place: previous === null ? "post" : replies, hasFiles: part.media.length > 0 };
}

/**
 * The kind of one of the account's posts. Null: its visibility, or the author of its parent, is unknown. `own`: ids of
 * other posts of the account.
 */
export function suchOfStatus(
  { visibility, in_reply_to_id, in_reply_to_account_id, media_attachments }: Status,
  { account, own }: { account: string; own: ReadonlySet<string> },
): Such | null {
  const readers = visibilities.find((each) => each === visibility);
  const place = placeOf();
  const hasFiles = (media_attachments ?? []).length > 0;
  return readers === undefined || place === null ? null : { visibility: readers, place, hasFiles };

  function placeOf(): Such["place"] | null {
    if (in_reply_to_id == null) return "post";
    // In a thread below another user's post, Mastodon names that user.
    if (own.has(in_reply_to_id) || in_reply_to_account_id === account) return "thread";
    return in_reply_to_account_id == null ? null : "answer";
  }
}

/** The lists that may show a post of this kind. */
export function listsFor(profile: Pick<ProfileFacts, "account_facts">, { place }: Such): ListName[] {
  if (listsAll(profile)) return ["account"];
  return place === "post" ? ["home", "account"] : ["home", "account", "context"];
}

/**
 * The lists that can prove by example that they show posts of this kind. Without home timelines for replies: they may
 * show replies to some users and not to others (seen on a small server, 2026-11).
 */
export function learnableLists(profile: Pick<ProfileFacts, "account_facts">, such: Such): ListName[] {
  if (listsAll(profile)) return [];
  return listsFor(profile, such).filter((list) => such.place !== "answer" || list !== "home");
}

/** True: the list's software is known to list every post. */
export function isKnownToShow(list: ListName, profile: Pick<ProfileFacts, "account_facts">): boolean {
  return listsAll(profile) || (list === "home" && showsAllAtHome(profile));
}

/** The name under which the service remembers that a list of this software has shown a post of this kind. */
export function rememberedAs(
  list: ListName,
  profile: Pick<ProfileFacts, "account_facts">,
  { visibility, place, hasFiles }: Such,
): string {
  const files = hasFiles ? "files" : "text";
  return [list, knownAccount(profile).version, visibility, place, files].join(" ");
}
