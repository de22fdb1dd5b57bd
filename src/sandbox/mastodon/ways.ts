/** Who can see a post. https://docs.joinmastodon.org/entities/Status/#visibility (2026-07) */
export type Visibility = "public" | "unlisted" | "private" | "direct";

/** The options of a post besides its text. */
export type PostOption = "poll" | "language" | "sensitive" | "spoiler_text" | "quoted_status_id";

/**
 * How a server differs from Mastodon although it has Mastodon's API. Each difference was seen on real small servers
 * (2026-11), or in Mastodon's own history.
 */
export interface InstanceWays {
  /**
   * The software that its instance document reports: `look_alike` reports a version of Mastodon's, its own version, and
   * its own source. @default "mastodon"
   */
  software: "mastodon" | "look_alike";
  /**
   * True: `content` is the text rendered as Markdown, without list marks, numbers, asterisks and fences. @default false
   */
  rendersMarkdown: boolean;
  /** True: only the beginning of a long URL is shown. @default false */
  shortensLinks: boolean;
  /** True: `content` has named entities for characters beyond ASCII, such as `&eacute;`. @default false */
  namesCharacters: boolean;
  /** True: there is no `GET /api/v1/statuses/:id/source`. @default false */
  lacksSource: boolean;
  /** True: a status has its source as `text`, as on some forks. @default false */
  showsText: boolean;
  /** Longer texts are cut to this length, with an ellipsis. @default Infinity */
  maxCharactersShown: number;

  /** How far its clock, which dates posts and responses, is behind, seconds. @default 0 */
  secondsBehind: number;
  /** True: there is no `GET /api/v1/statuses`, which reads several posts in one request. @default false */
  lacksManyAtOnce: boolean;
  /** True: an edited post gets a new id; its URL stays the same, and its first id finds it, too. @default false */
  editsChangeIds: boolean;

  /** True: others see a reply only once the author of the post above has approved it. @default false */
  asksApproval: boolean;
  /** True: unknown types of notifications are rejected. @default false */
  refusesTypes: boolean;
  /** True: posts have no time of the last edit. @default false */
  omitsEditTimes: boolean;
  /** True: a name in a text is a mention only with its domain: `@ann@host`. @default false */
  ignoresBareNames: boolean;
  /** True: mentions in a status have no ids, and omit the reader. @default false */
  omitsMentionIds: boolean;

  /** The visibilities of own posts that `GET /api/v1/accounts/:id/statuses` omits. @default [] */
  listHides: readonly Visibility[];
  /** True: that list omits replies. @default false */
  listHidesReplies: boolean;
  /** That list's order: by time, or by conversation with the newest first, and by time within it. @default "time" */
  listOrder: "time" | "conversation";
  /** True: there is no `GET /api/v1/timelines/home`. @default false */
  lacksHome: boolean;
  /** The visibilities of own posts that the home timeline omits. @default [] */
  homeHides: readonly Visibility[];
  /** True: the home timeline omits own replies to users whom the account does not follow. @default false */
  homeHidesAnswers: boolean;
  /**
   * True: lists ignore `max_id` and return their newest page; only the URLs in `Link` lead to the next. @default false
   */
  ignoresMaxId: boolean;
  /** True: there is no `Link` header with the next page. @default false */
  omitsLinks: boolean;
  /** True: `GET /api/v1/accounts/:id/statuses` returns all posts, whatever is requested. @default false */
  listsWhole: boolean;
  /**
   * True: mentions by muted users are removed from a page after it was built: a page may be empty although later ones
   * are not. @default false
   */
  filtersPages: boolean;
  /** The maximum number of posts per page. @default 40 */
  maxPerPage: number;

  /**
   * True: a file's id is derived from its name, so a newer file of the same name replaces it, in older posts as well.
   * @default false
   */
  mediaIdFromName: boolean;
  /**
   * Whether an image's URL in the text becomes an attachment: `added`, and the text stays unchanged; or `moved`, and
   * the URL is removed from the text. @default "text"
   */
  imageAddresses: "text" | "added" | "moved";
  /** True: the response to a broken or unknown file is always 500 with an empty body. @default false */
  failsOnBrokenFiles: boolean;
  /** True: a video's cover is ignored without an error, whatever it is. @default false */
  ignoresCovers: boolean;

  /** The options that are ignored without an error. @default [] */
  drops: readonly PostOption[];
  /** The visibilities that are replaced by others without an error. @default {} */
  visibilityBecomes: Readonly<Partial<Record<Visibility, Visibility>>>;
  /**
   * The effect of a repeated `Idempotency-Key`: the first post is returned (`respected`); a second post is created
   * (`ignored`); a second post is created if both requests arrive within a second (`late`); the response is 500, as
   * from Mastodon of September 2026 (`fails`).
   *
   * @default "respected"
   */
  keys: "respected" | "ignored" | "late" | "fails";

  /**
   * `by_code`: according to OAuth · `by_app`: a token belongs to the last user who signed in with the app, whatever the
   * code; challenge, redirect URL and scopes are ignored, no response names scopes, and an error has an empty body.
   *
   * @default "by_code"
   */
  logins: "by_code" | "by_app";
  /**
   * True: it announces that browsers return with its issuer as `iss`, and sends it.
   * https://www.rfc-editor.org/rfc/rfc9207 (2026-11) @default false
   */
  namesItself: boolean;
  /**
   * The reported domain of its handles: its own (`addDomain`) or that of another server; null: its host. @default null
   */
  domain: string | null;
  /**
   * The response to an invalid or revoked token: an error with a message; an empty 401; or an empty 401, and an empty
   * 422 from the verification. @default "words"
   */
  wrongToken: "words" | "empty_401" | "empty_422";
  /**
   * The response to a token without the scope, always a 403: Mastodon's message, OAuth's error, or a different message.
   * @default "mastodon"
   */
  missingScope: "mastodon" | "insufficient_scope" | "forbidden";
  /** True: the response for a missing resource is an HTML page. @default false */
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
