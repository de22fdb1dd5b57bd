import type { Part } from "../contract/plan.ts";
import { rulesOf } from "../shared/rules.ts";
import { isOrganization, takesComments } from "./known.ts";
import { type LinkedinOptions, reshareOf } from "./options.ts";
import { toLittleText } from "./text.ts";

const { rule, problemAt } = rulesOf<LinkedinOptions>("linkedin");

/**
 * Checks the length of the escaped text too, because what LinkedIn counts is not documented.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08),
 * `FIELD_LENGTH_TOO_LONG`
 */
const escapedText = rule("invalid_request", ({ post: { text }, spec: { text: limit } }) => {
  const length = toLittleText(text).length;
  if (text.length > limit.max || length <= limit.max) return null;
  const message = `With a backslash before each character that LinkedIn reads as markup the text has ${length} of at most ${limit.max} UTF-16 units. Shorten it.`;
  return { field: "text", message };
});

/** The text may be empty only if the post has other content. https://www.ayrshare.com/docs/apis/post/social-networks/linkedin (2026-09) */
const emptyPost = rule("invalid_request", ({ post }) =>
  post.text.trim() === "" && contentsOf(post).length === 0
    ? { field: "text", message: "A post on LinkedIn needs a text, a file, a link or a post to reshare." }
    : null,
);

interface Content {
  field: string;
  words: string;
}

function contentsOf({ media, link, options }: Part<LinkedinOptions>): Content[] {
  const all: (Content & { isThere: boolean })[] = [
    { field: "media", words: "files", isThere: media.length > 0 },
    { field: "link", words: "a link card", isThere: link !== null },
    { field: "networks.linkedin.document", words: "a document", isThere: options.document !== undefined },
    { field: "networks.linkedin.poll", words: "a poll", isThere: options.poll !== undefined },
    { field: "networks.linkedin.reshare_of", words: "a reshared post", isThere: reshareOf(options) !== null },
  ];
  return all.filter(({ isThere }) => isThere);
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
const oneContent = rule("unsupported", ({ post }) => {
  const [first, second] = contentsOf(post);
  if (first === undefined || second === undefined) return null;
  const remedy = second.field === "link" ? "Put the URL into the text, or leave out one." : "Leave out one.";
  return {
    field: second.field,
    message: `A post on LinkedIn can have only one of: ${first.words} or ${second.words}. ${remedy}`,
  };
});

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/post-api-schema (2026-08) */
const maxCardTitle = 400;

/** LinkedIn does not read the linked page. Same source. */
const cardTitle = rule("invalid_request", ({ post: { link } }) => {
  if (link === null) return null;
  const { title } = link;
  if (title === null || title.trim() === "")
    return {
      field: "link.title",
      message: "LinkedIn does not read the linked page: set link.title, or put the URL into the text.",
    };
  if (title.length <= maxCardTitle) return null;
  return { field: "link.title", message: `${title.length} of at most ${maxCardTitle} characters on LinkedIn.` };
});

/**
 * Organisations have followers, but no connections.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08)
 */
const connectionsAreMembers = rule("unsupported", ({ post: { options }, profile }) =>
  isOrganization(profile) && options.visibility === "CONNECTIONS"
    ? problemAt("visibility", "An organisation on LinkedIn has no connections: use PUBLIC or LOGGED_IN.")
    : null,
);

/** Same source. */
const audienceOfOrganizations = rule("unsupported", ({ post: { options }, profile }) => {
  if (options.audience === undefined) return null;
  if (!isOrganization(profile))
    return problemAt("audience", "Only organisations on LinkedIn can choose their posts' audience: leave it out.");
  if (Object.keys(options.audience).length > 0) return null;
  return problemAt("audience", "Set at least one field of the audience on LinkedIn, or leave it out.");
});

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (2026-08) */
const captionsNeedVideo = rule("invalid_request", ({ post: { media, options } }) =>
  options.captions_url !== undefined && !media.some(({ type }) => type === "video")
    ? problemAt("captions_url", "Subtitles on LinkedIn require a video, but the post has none.")
    : null,
);

/**
 * Other apps are rejected, whatever their scopes.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api (2026-08)
 */
const commentsNeedApp = rule("unsupported", ({ input: { options }, profile }) => {
  if (options.first_comment === undefined || takesComments(profile)) return null;
  const scope = isOrganization(profile) ? "w_organization_social_feed" : "w_member_social_feed";
  return problemAt(
    "first_comment",
    `LinkedIn accepts comments only from apps with the Community Management API, and this connection is not known to have ${scope}. Leave out the comment, or connect the account through an app that has this API.`,
  );
});

/** Checks that a table cannot express, in order. */
export const rules = [
  emptyPost,
  escapedText,
  oneContent,
  cardTitle,
  connectionsAreMembers,
  audienceOfOrganizations,
  captionsNeedVideo,
  commentsNeedApp,
];
