import type { CommitInput } from "../contract/commit.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import { knownAccount, listsAll, showsAllAtHome } from "./known.ts";
import { type MastodonOptions, type Visibility, visibilities, visibilityOf } from "./options.ts";
import type { Status } from "./status.ts";

/** Where an account's posts are read: its own list, the home timeline, and what stands below the post that is answered. */
export type ListName = "account" | "home" | "context";

/** What decides whether a list shows a post. */
export interface Such {
  visibility: Visibility;
  /** `thread`: it continues a post of the account's own. `answer`: it answers somebody else's. */
  place: "post" | "thread" | "answer";
  hasFiles: boolean;
}

/** What the part will be. */
export function suchOf({ part, index, previous }: CommitInput<MastodonOptions>): Such {
  const visibility = visibilityOf(part.options, index);
  const replies = index === 0 ? "answer" : "thread";
  return { visibility, place: previous === null ? "post" : replies, hasFiles: part.media.length > 0 };
}

/** What one of the account's posts is; null: whom it answers cannot be told, or who may read it. `own`: ids of others of its posts. */
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
    // Of a thread below another's post Mastodon names that other one.
    if (own.has(in_reply_to_id) || in_reply_to_account_id === account) return "thread";
    return in_reply_to_account_id == null ? null : "answer";
  }
}

/** Where a post of this sort may stand. */
export function listsFor(profile: Pick<ProfileFacts, "account_facts">, { place }: Such): ListName[] {
  if (listsAll(profile)) return ["account"];
  return place === "post" ? ["home", "account"] : ["home", "account", "context"];
}

/** Those of which it can be learnt that they show such posts. A home timeline may show answers to some people, and not to others (seen on a small server, 2026-11). */
export function learnableLists(profile: Pick<ProfileFacts, "account_facts">, such: Such): ListName[] {
  if (listsAll(profile)) return [];
  return listsFor(profile, such).filter((list) => such.place !== "answer" || list !== "home");
}

/** The list shows every post of this sort, by what is known of its software. */
export function isKnownToShow(list: ListName, profile: Pick<ProfileFacts, "account_facts">): boolean {
  return listsAll(profile) || (list === "home" && showsAllAtHome(profile));
}

/** Under which it is remembered that a list of this software has shown such a post. */
export function rememberedAs(
  list: ListName,
  profile: Pick<ProfileFacts, "account_facts">,
  { visibility, place, hasFiles }: Such,
): string {
  const files = hasFiles ? "files" : "text";
  return [list, knownAccount(profile).version, visibility, place, files].join(" ");
}
