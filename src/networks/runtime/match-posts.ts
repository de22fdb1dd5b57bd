import { commonWords, folded, nearness, overlap, type Words, wordsOf } from "../../text/likeness.ts";
import type { AccountList, AccountPosts, ListedPost } from "../contract/look.ts";

/** The earliest and latest time at which a lost request can have created its post, in the network's time, milliseconds. */
export interface Window {
  from: number;
  to: number;
  /** False: a clock was set back, so the time of sending is unknown. */
  isKnown: boolean;
}

/** The data to compare the posts of a look with. */
export interface Sought {
  /** Each form in which the network may show the part's text. */
  textForms: readonly string[];
  window: Window;
  /** Network ids of posts that belong to parts of the service. */
  owned: ReadonlySet<string>;
  /** True: the markers of the lost request are on record. */
  knowsHandles: boolean;
  /** Names of lists that have shown posts of this kind before. */
  trusted: ReadonlySet<string>;
}

export interface MatchResult {
  /** Certainly ours, unless there are several. */
  strong: ListedPost[];
  /** May or may not be ours. */
  unexplained: ListedPost[];
  /** True: a list that shows posts of this kind was read back to the start of the window. */
  isWhole: boolean;
}

/** Texts with at least this similarity, and this many words, count as near. */
const minNearness = 0.8;
const minWordsNear = 8;
/** Two texts of at least this many words that share less than this share are unrelated. Shorter texts are compared as a whole. */
const minHeld = 0.2;
const minWordsApart = 5;
/**
 * The limit for a post that shows the author's original text, or differs from the requested post: with more of our
 * words than this, it may be ours with changes.
 */
const minHeldAsSent = 0.5;
/** Maximum number of texts per look that are split into words, because a hostile account could show any number. */
const maxTexts = 60;

/** Sorts the posts of a look into those that are certainly ours, those that are not, and those that may be. */
export function matchPosts(sight: AccountPosts, sought: Sought): MatchResult {
  const posts = new Map(sight.lists.flatMap(({ posts: all }) => all.map((post) => [post.published.id, post])));
  const possible = [...posts.values()].filter((post) => isPossible(post, sight, sought));
  const isWhole = sight.lists.some((list) => list.isWhole && isTrusted(list, sought));
  const wanted = foldedForms(sought.textForms);
  const exact = possible.filter((post) => isExact(post, sight, { wanted, window: sought.window }));
  if (exact.length > 0) {
    const marked = exact.filter(({ origin }) => origin === "ours");
    const strong = marked.length > 0 ? marked : exact;
    return { strong, unexplained: possible.filter((post) => !strong.includes(post)), isWhole };
  }
  return { ...matchWords(possible, [...posts.values()], { sight, sought }), isWhole };
}

function isTrusted({ name, showsSuch }: AccountList, { trusted }: Sought): boolean {
  return showsSuch || trusted.has(name);
}

function isPossible(post: ListedPost, sight: AccountPosts, { owned, window, knowsHandles }: Sought): boolean {
  if (owned.has(post.published.id) || post.created_at < window.from) return false;
  if (post.origin === "foreign" && knowsHandles) return false;
  return post.parent == null || post.parent === sight.parent;
}

/** True: the same marker, or exactly the same text in the right place. */
function isExact(
  post: ListedPost,
  sight: AccountPosts,
  { wanted, window }: { wanted: ReadonlySet<string>; window: Window },
): boolean {
  if (post.origin === "ours") return true;
  return window.isKnown && isInPlace(post, sight) && hasWords(post, wanted);
}

/** True: the post shows exactly this text, in one of the forms. */
export function hasWords({ texts }: ListedPost, wanted: ReadonlySet<string>): boolean {
  return texts.some((text) => wanted.has(folded(text)));
}

/** The forms for `hasWords`, computed once for all posts. */
export function foldedForms(says: readonly string[]): Set<string> {
  const forms = new Set(says.map(folded));
  forms.delete("");
  return forms;
}

function isInPlace(post: ListedPost, sight: AccountPosts): boolean {
  return post.isSameKind && (post.parent === undefined || post.parent === sight.parent);
}

function matchWords(
  possible: readonly ListedPost[],
  all: readonly ListedPost[],
  { sight, sought }: { sight: AccountPosts; sought: Sought },
): Pick<MatchResult, "strong" | "unexplained"> {
  const early = possible.filter(({ created_at }) => !(created_at > sought.window.to));
  if (possible.length === 0) return { strong: [], unexplained: [] };
  const wanted = sought.textForms.map(wordsOf).filter(({ all: { size } }) => size > 0);
  const rest = all.filter((post) => !possible.includes(post));
  const words = new Map([...possible, ...rest].slice(0, maxTexts).map((post) => [post, post.texts.map(wordsOf)]));
  const isStrong = (post: ListedPost): boolean =>
    sought.window.isKnown &&
    isInPlace(post, sight) &&
    (words.get(post) ?? []).some((each) => wanted.some((ours) => areNear(ours, each)));
  const strong = possible.filter(isStrong);
  const unexplained = early.filter((post) => {
    if (strong.includes(post)) return false;
    const theirs = words.get(post);
    if (theirs === undefined) return true;
    const others = [...words].filter(([other]) => other !== post).flatMap(([, [first]]) => first ?? []);
    const compared = { ours: wanted, theirs, common: commonWords(others) };
    if (isOtherwise(post, sight)) return saysMostly(compared) || areEqual(post, sought.textForms);
    return !isApart(post, compared);
  });
  return { strong, unexplained };
}

/** True: the post differs from the requested one. It may be ours only if its text is the same, because a network may have changed the rest. */
function isOtherwise(post: ListedPost, { parent }: AccountPosts): boolean {
  return !post.isSameKind || post.hasOtherReaders === true || (post.parent === null && parent !== null);
}

/** The words of two texts, in each possible form. */
interface Compared {
  ours: readonly Words[];
  theirs: readonly Words[];
  /** Words that other posts also have. */
  common: ReadonlySet<string>;
}

function saysMostly({ ours, theirs, common }: Compared): boolean {
  return theirs.some((each) => ours.some((form) => overlap(form, each, common).held > minHeldAsSent));
}

/** True: the texts are the same. Both may be empty. */
function areEqual(post: ListedPost, says: readonly string[]): boolean {
  const isWordless = says.every((text) => folded(text) === "") && post.texts.every((text) => folded(text) === "");
  return isWordless || hasWords(post, foldedForms(says));
}

/** True: the text is not ours, whatever the network may have changed. False if either has no words, because that proves nothing. */
function isApart({ source }: ListedPost, { ours, theirs, common }: Compared): boolean {
  if (ours.length === 0 || theirs.length === 0) return false;
  const isAsSent = source !== undefined;
  const compared = isAsSent ? [wordsOf(source)] : theirs;
  return compared.every((each) => ours.every((form) => areApart(form, each, { common, isAsSent })));
}

function areNear(ours: Words, theirs: Words): boolean {
  if (ours.all.size < minWordsNear || theirs.all.size < minWordsNear) return false;
  return ours.exact === theirs.exact && nearness(ours, theirs) >= minNearness;
}

/** `isAsSent`: theirs is the author's original text, not what the network shows. */
function areApart(
  ours: Words,
  theirs: Words,
  { common, isAsSent }: { common: ReadonlySet<string>; isAsSent: boolean },
): boolean {
  const { held, smaller } = overlap(ours, theirs, common);
  if (smaller >= minWordsApart) return held < (isAsSent ? minHeldAsSent : minHeld);
  return isAsSent ? differ(ours, theirs) : haveNothingInCommon(ours, theirs);
}

/** No network is known to replace the whole text with its own. It may rewrite links, mentions and emoji. */
function haveNothingInCommon(ours: Words, theirs: Words): boolean {
  return theirs.plain.size > 0 && ![...theirs.all].some((word) => ours.all.has(word));
}

/** True: each has a word that the other lacks, so neither is a shortened or extended form of the other. */
function differ(one: Words, other: Words): boolean {
  const lacks = (here: Words, there: Words): boolean => [...there.all].some((word) => !here.all.has(word));
  return lacks(one, other) && lacks(other, one);
}
