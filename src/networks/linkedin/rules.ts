import type { Part, PlanInput } from "../contract/plan.ts";
import type { NetworkSpec, SpecRule } from "../contract/spec.ts";
import { isOrganization } from "./known.ts";
import type { LinkedinOptions } from "./options.ts";
import { toLittleText } from "./text.ts";

interface Given {
  input: PlanInput<LinkedinOptions>;
  post: Part<LinkedinOptions>;
  spec: NetworkSpec;
  isOrganization: boolean;
}

type Problem = { field: string; message: string } | null;

function rule(code: SpecRule["code"], check: (given: Given) => Problem): SpecRule<LinkedinOptions> {
  return {
    code,
    check: ({ input, parts: [post], spec, profile }) =>
      post === undefined ? null : check({ input, post, spec, isOrganization: isOrganization(profile) }),
  };
}

/** Nobody says what LinkedIn counts, so what it is sent must not be too long either. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08), `FIELD_LENGTH_TOO_LONG` */
const escapedText = rule("invalid_request", ({ post: { text }, spec: { text: limit } }) => {
  const length = toLittleText(text).length;
  if (text.length > limit.max || length <= limit.max) return null;
  const message = `With a backslash before each character that LinkedIn reads as markup the text has ${length} of at most ${limit.max} UTF-16 units. Shorten it.`;
  return { field: "text", message };
});

/** A text alone may be empty only beside something else. https://www.ayrshare.com/docs/apis/post/social-networks/linkedin (2026-09) */
const emptyPost = rule("invalid_request", ({ post }) =>
  post.text.trim() === "" && post.media.length === 0 && post.link === null
    ? { field: "text", message: "A post on LinkedIn needs a text, a file or a link." }
    : null,
);

/** One content a post. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
const linkBesideMedia = rule("unsupported", ({ post }) =>
  post.link !== null && post.media.length > 0
    ? {
        field: "link",
        message:
          "LinkedIn shows either files or a link card on one post. Put the address into the text, or leave out the files.",
      }
    : null,
);

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/post-api-schema (2026-08) */
const maxCardTitle = 400;

/** LinkedIn does not read the page behind a link. Same source. */
const cardTitle = rule("invalid_request", ({ post: { link } }) => {
  if (link === null) return null;
  const { title } = link;
  if (title === null || title.trim() === "")
    return {
      field: "link.title",
      message: "LinkedIn does not read the page behind a link: give link.title, or put the address into the text.",
    };
  if (title.length <= maxCardTitle) return null;
  return { field: "link.title", message: `${title.length} of at most ${maxCardTitle} characters on LinkedIn.` };
});

/** Organisations have followers, and no connections. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
const connectionsAreMembers = rule("unsupported", ({ post: { options }, ...given }) =>
  given.isOrganization && options.visibility === "CONNECTIONS"
    ? {
        field: "networks.linkedin.visibility",
        message: "An organisation on LinkedIn has no connections: take PUBLIC or LOGGED_IN.",
      }
    : null,
);

/** Checks that a table cannot say, in order. */
export const rules: readonly SpecRule<LinkedinOptions>[] = [
  emptyPost,
  escapedText,
  linkBesideMedia,
  cardTitle,
  connectionsAreMembers,
];
