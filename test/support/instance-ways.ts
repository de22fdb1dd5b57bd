import type { InstanceWays, Visibility } from "../../src/sandbox/mastodon/ways.ts";
import type { Random } from "../prove/random.ts";
import type { MarkedText } from "./marked-texts.ts";

/** A look-alike of Mastodon: one to five ways of its own. Most ignore keys, which would hide what is sent twice. */
export function randomWays(random: Random): Partial<InstanceWays> {
  const drawn: Partial<InstanceWays> = { software: "look_alike", keys: random.of(["respected", "ignored", "ignored"]) };
  for (let count = random.between(1, 5); count > 0; count--) Object.assign(drawn, random.of(ways)(random));
  return drawn;
}

/** Those at which posts went out twice come more often. */
const ways: readonly ((random: Random) => Partial<InstanceWays>)[] = [
  () => ({ rendersMarkdown: true }),
  () => ({ rendersMarkdown: true }),
  () => ({ rendersMarkdown: true, lacksSource: true }),
  () => ({ lacksSource: true }),
  () => ({ showsText: true }),
  () => ({ maxCharactersShown: 40, lacksSource: true }),
  (random) => ({ listHides: random.of<Visibility[]>([["private", "direct"], ["direct"], ["private"]]) }),
  () => ({ listHides: ["private", "direct"], lacksHome: true }),
  (random) => ({ homeHides: random.of<Visibility[]>([["direct"], ["private", "direct"]]) }),
  () => ({ lacksHome: true }),
  () => ({ listHidesReplies: true }),
  () => ({ listHidesReplies: true, lacksHome: true }),
  () => ({ homeHidesAnswers: true }),
  () => ({ listOrder: "conversation" }),
  () => ({ ignoresMaxId: true }),
  () => ({ ignoresMaxId: true }),
  () => ({ maxPerPage: 20 }),
  () => ({ mediaIdFromName: true }),
  (random) => ({ imageAddresses: random.of(["added", "moved"] as const) }),
  (random) => ({ imageAddresses: random.of(["added", "moved"] as const) }),
  (random) => ({ keys: random.of(["late", "fails"] as const) }),
  () => ({ visibilityBecomes: { unlisted: "public", direct: "private" } }),
  (random) => ({ wrongToken: random.of(["empty_401", "empty_422"] as const), htmlNotFound: true }),
];

/** One part whose outcome nobody knows, and what can be known of its account. */
export interface LostPart {
  ways: InstanceWays;
  text: MarkedText;
  /** As it was asked for. */
  visibility: Visibility;
  isReply: boolean;
  /** Its uploaded files have ids of their own by which it can be told. */
  hasFiles: boolean;
  /** It stands on the network. */
  isLive: boolean;
  /** Posts of its visibility and kind stood there before, for every list to show. */
  wasShownBefore: boolean;
  /** The owner posted something similar at the time. */
  hasSimilar: boolean;
  /** How many posts the account has. */
  posts: number;
}

/** Pages of fewer posts say that there are no more. */
const minFullPage = 20;

/** Why nobody can tell whether the part is there; null: it must be decided. */
export function whyUndecided(part: LostPart): string | null {
  const { ways: own, visibility, isReply, isLive } = part;
  const shownAs = own.visibilityBecomes[visibility] ?? visibility;
  const isListed = !own.listHides.includes(shownAs);
  const isHome = !own.lacksHome && !own.homeHides.includes(shownAs);
  if (!isListed && !isHome) return `no listing shows ${shownAs} posts`;
  if (isReply && own.listHidesReplies) return "the list leaves replies out";
  if (isLive) return whyUnrecognized(part);
  if (part.hasSimilar) return "the owner posted something similar";
  if (own.software === "mastodon") return null;
  if (!part.wasShownBefore) return "no such post was ever seen there";
  if (shownAs !== visibility) return `it makes ${shownAs} of ${visibility}, so no such post can be seen`;
  const isOutOfReach = own.ignoresMaxId || own.listOrder === "conversation";
  return isOutOfReach && part.posts >= minFullPage ? "older posts cannot be reached" : null;
}

/** It is shown, but in another wording. */
function whyUnrecognized({ ways: own, text, hasFiles }: LostPart): string | null {
  if (hasFiles) return null;
  if (text.hasImageAddress && own.imageAddresses === "moved") return "an address is gone from its text";
  const isSourceHidden = own.lacksSource && !own.showsText;
  if (isSourceHidden && Number.isFinite(own.maxCharactersShown)) return "its text is shown cut, without the source";
  return text.hasMarkup && own.rendersMarkdown && isSourceHidden ? "its source cannot be read" : null;
}

/** As the adapter asks for it: a public thread fills no timeline. */
export function visibilityAt(visibility: Visibility, part: number): Visibility {
  return part > 0 && visibility === "public" ? "unlisted" : visibility;
}
