/** Who sees a post. https://docs.joinmastodon.org/entities/Status/#visibility (2026-07) */
export type Visibility = "public" | "unlisted" | "private" | "direct";

/** What a post may ask for beside its text. */
export type PostOption = "poll" | "language" | "sensitive" | "spoiler_text" | "quoted_status_id";

/**
 * In what a server differs from Mastodon although it speaks Mastodon's API:
 * each was seen on real small servers (2026-11), or in Mastodon's own history.
 */
export interface InstanceWays {
  /** Whose code it runs, as its instance document says: a look-alike names a version of Mastodon's, its own, and its own source. @default "mastodon" */
  software: "mastodon" | "look_alike";
  /** `content` is the text rendered as Markdown: list marks, numbers, asterisks and fences are gone from it. @default false */
  rendersMarkdown: boolean;
  /** Of a long address the text shows only the beginning. @default false */
  shortensLinks: boolean;
  /** `content` names characters beyond ASCII, as in `&eacute;`. @default false */
  namesCharacters: boolean;
  /** There is no `GET /api/v1/statuses/:id/source`. @default false */
  lacksSource: boolean;
  /** A status carries its source as `text`, as on some forks. @default false */
  showsText: boolean;
  /** Longer texts are shown cut to this, with an ellipsis. @default Infinity */
  maxCharactersShown: number;

  /** Its clock, by which posts and answers are dated, is this far behind. @default 0 */
  secondsBehind: number;
  /** There is no `GET /api/v1/statuses`, by which several posts are read at once. @default false */
  lacksManyAtOnce: boolean;
  /** A post that is changed has another id; its address stays, and the first id finds it, too. @default false */
  editsChangeIds: boolean;

  /** Others see what answers a post only once its author has approved it. @default false */
  asksApproval: boolean;
  /** Types of notifications that it does not know are refused. @default false */
  refusesTypes: boolean;
  /** No post says when it was changed. @default false */
  omitsEditTimes: boolean;
  /** A name in a text is a mention only with its domain: `@ann@host`. @default false */
  ignoresBareNames: boolean;
  /** Whom a post names is told without ids, and the reader is left out. @default false */
  omitsMentionIds: boolean;

  /** Own posts that `GET /api/v1/accounts/:id/statuses` leaves out. @default [] */
  listHides: readonly Visibility[];
  /** That list leaves replies out. @default false */
  listHidesReplies: boolean;
  /** That list goes by conversation, the newest first, and within it by time. @default "time" */
  listOrder: "time" | "conversation";
  /** There is no `GET /api/v1/timelines/home`. @default false */
  lacksHome: boolean;
  /** Own posts that the home timeline leaves out. @default [] */
  homeHides: readonly Visibility[];
  /** Own answers to people whom the account does not follow are left out of the home timeline. @default false */
  homeHidesAnswers: boolean;
  /** Lists give their newest page whatever `max_id` says: only the addresses in `Link` lead further. @default false */
  ignoresMaxId: boolean;
  /** No `Link` says where the next page is. @default false */
  omitsLinks: boolean;
  /** `GET /api/v1/accounts/:id/statuses` gives all there is, whatever is asked for. @default false */
  listsWhole: boolean;
  /** Mentions by people whom the account has muted are taken out of a page once it is made: one may be empty, and others behind it not. @default false */
  filtersPages: boolean;
  /** Posts on a page, however many are asked for. @default 40 */
  maxPerPage: number;

  /** A file's id is made from its name: a newer file of the same name takes its place, in older posts as well. @default false */
  mediaIdFromName: boolean;
  /**
   * An image's address in the text becomes an attachment: `added`, and the text
   * stays whole; or `moved`, and the address is gone from the text. @default "text"
   */
  imageAddresses: "text" | "added" | "moved";
  /** A file that is broken or of no known kind is answered by 500 with an empty body, each time. @default false */
  failsOnBrokenFiles: boolean;
  /** The cover of a video is passed over without a word, whatever it is. @default false */
  ignoresCovers: boolean;

  /** Options that are passed over without a word. @default [] */
  drops: readonly PostOption[];
  /** Visibilities that become others without a word. @default {} */
  visibilityBecomes: Readonly<Partial<Record<Visibility, Visibility>>>;
  /**
   * What a repeated `Idempotency-Key` does: nothing but show the first post; a second post (`ignored`); a second post
   * where the two come within a second of each other (`late`); an answer 500, as Mastodon's of September 2026 (`fails`).
   *
   * @default "respected"
   */
  keys: "respected" | "ignored" | "late" | "fails";

  /**
   * `by_code`: as OAuth has it · `by_app`: a token is for whoever was the last to log in with the app, whatever the
   * code; challenge, redirect address and scopes are passed over, no answer names scopes, and a refusal is empty.
   *
   * @default "by_code"
   */
  logins: "by_code" | "by_app";
  /** It announces that browsers come back with its name as `iss`, and they do. https://www.rfc-editor.org/rfc/rfc9207 (2026-11) @default false */
  namesItself: boolean;
  /** What it says that handles end in, its own domain (`addDomain`) or somebody else's; null: its host. @default null */
  domain: string | null;
  /** How a token that is wrong or revoked is refused: in words; by an empty 401; or so, and by an empty 422 where it is verified. @default "words" */
  wrongToken: "words" | "empty_401" | "empty_422";
  /** How a token without the scope is refused, always by 403: in Mastodon's words, OAuth's error, or other words. @default "mastodon" */
  missingScope: "mastodon" | "insufficient_scope" | "forbidden";
  /** What is not there is answered by a page. @default false */
  htmlNotFound: boolean;
}

export const mastodonsWays: InstanceWays = {
  software: "mastodon",
  rendersMarkdown: false,
  shortensLinks: false,
  namesCharacters: false,
  lacksSource: false,
  showsText: false,
  maxCharactersShown: Number.POSITIVE_INFINITY,
  secondsBehind: 0,
  lacksManyAtOnce: false,
  editsChangeIds: false,
  asksApproval: false,
  refusesTypes: false,
  omitsEditTimes: false,
  ignoresBareNames: false,
  omitsMentionIds: false,
  listHides: [],
  listHidesReplies: false,
  listOrder: "time",
  lacksHome: false,
  homeHides: [],
  homeHidesAnswers: false,
  ignoresMaxId: false,
  omitsLinks: false,
  listsWhole: false,
  filtersPages: false,
  maxPerPage: 40,
  mediaIdFromName: false,
  imageAddresses: "text",
  failsOnBrokenFiles: false,
  ignoresCovers: false,
  drops: [],
  visibilityBecomes: {},
  keys: "respected",
  logins: "by_code",
  namesItself: false,
  domain: null,
  wrongToken: "words",
  missingScope: "mastodon",
  htmlNotFound: false,
};
