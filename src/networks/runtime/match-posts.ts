import { commonWords, folded, nearness, overlap, type Words, wordsOf } from "../../text/likeness.ts";
import type { AccountList, AccountPosts, ListedPost } from "../contract/look.ts";

/** The times between which a lost request can have made its post, in the network's time, milliseconds. */
export interface Window {
  from: number;
  to: number;
  /** False: a clock was put back, so nobody knows when the request was sent. */
  isKnown: boolean;
}

/** What a look is to be compared with. */
export interface Sought {
  /** Each form in which the network may show the part's words. */
  textForms: readonly string[];
  window: Window;
  /** Networks' ids that parts of ours own. */
  owned: ReadonlySet<string>;
  /** Handles of the lost request are on record. */
  knowsHandles: boolean;
  /** Lists that have shown such posts before, by name. */
  trusted: ReadonlySet<string>;
}

export interface MatchResult {
  /** Certainly ours, unless there are several. */
  strong: ListedPost[];
  /** Nothing says that they are ours, nothing that they are not. */
  unexplained: ListedPost[];
  /** A list that shows such posts was read back to the window's start. */
  isWhole: boolean;
}

/** Texts are near from here on, and long enough for that to say something. */
const minNearness = 0.8;
const minWordsNear = 8;
/** Two texts of at least this many words that hold less of each other have nothing to do with each other; shorter ones are compared whole. */
const minHeld = 0.2;
const minWordsApart = 5;
/** A post that shows what was sent, or is not what was asked for, may be ours, changed, when it holds more of our words than this. */
const minHeldAsSent = 0.5;
/** Texts of one look that are cut into words; a hostile account could show any number. */
const maxTexts = 60;

/** Sorts what a look shows into what is ours for certain, what is not, and what nobody can know. */
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

/** The same handle, or the very words in the right place. */
function isExact(
  post: ListedPost,
  sight: AccountPosts,
  { wanted, window }: { wanted: ReadonlySet<string>; window: Window },
): boolean {
  if (post.origin === "ours") return true;
  return window.isKnown && isInPlace(post, sight) && hasWords(post, wanted);
}

/** The post shows just these words, in one of the forms. */
export function hasWords({ texts }: ListedPost, wanted: ReadonlySet<string>): boolean {
  return texts.some((text) => wanted.has(folded(text)));
}

/** What `hasWords` compares with, made once for all posts. */
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

/** Not what was asked for: only where it says the same may a network have changed that. */
function isOtherwise(post: ListedPost, { parent }: AccountPosts): boolean {
  return !post.isSameKind || post.hasOtherReaders === true || (post.parent === null && parent !== null);
}

/** Words of two texts, each in the forms that it may have. */
interface Compared {
  ours: readonly Words[];
  theirs: readonly Words[];
  /** Words of others, too. */
  common: ReadonlySet<string>;
}

function saysMostly({ ours, theirs, common }: Compared): boolean {
  return theirs.some((each) => ours.some((form) => overlap(form, each, common).held > minHeldAsSent));
}

/** Says the same, which may be nothing. */
function areEqual(post: ListedPost, says: readonly string[]): boolean {
  const isWordless = says.every((text) => folded(text) === "") && post.texts.every((text) => folded(text) === "");
  return isWordless || hasWords(post, foldedForms(says));
}

/** Whatever the network may have made of ours, this is something else. Without words nobody can tell. */
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

/** `isAsSent`: theirs are the words that were sent, whatever the network shows. */
function areApart(
  ours: Words,
  theirs: Words,
  { common, isAsSent }: { common: ReadonlySet<string>; isAsSent: boolean },
): boolean {
  const { held, smaller } = overlap(ours, theirs, common);
  if (smaller >= minWordsApart) return held < (isAsSent ? minHeldAsSent : minHeld);
  return isAsSent ? differ(ours, theirs) : haveNothingInCommon(ours, theirs);
}

/** No network was seen to put words of its own in place of all that was sent; links, mentions and emoji it may write anew. */
function haveNothingInCommon(ours: Words, theirs: Words): boolean {
  return theirs.plain.size > 0 && ![...theirs.all].some((word) => ours.all.has(word));
}

/** Each has a word that the other lacks: none is the other one cut, or with something added. */
function differ(one: Words, other: Words): boolean {
  const lacks = (here: Words, there: Words): boolean => [...there.all].some((word) => !here.all.has(word));
  return lacks(one, other) && lacks(other, one);
}
