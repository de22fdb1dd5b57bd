import type { PlanInput } from "../contract/plan.ts";
import type { SpecRule } from "../contract/spec.ts";
import { firstGiven, type Problem, rulesOf } from "../shared/rules.ts";
import { kindOf } from "./kind.ts";
import type { FacebookOptions } from "./options.ts";

type Input = PlanInput<FacebookOptions>;

/** Postiz posts longer texts without a background. https://github.com/gitroomhq/postiz-app (2026-08, unconfirmed) */
const maxTextOnBackground = 130;

const { rule: ruleAs, problemAt } = rulesOf<FacebookOptions>("facebook");

function rule(check: (input: Input) => Problem): SpecRule<FacebookOptions> {
  return ruleAs("invalid_request", ({ input }) => check(input));
}

const emptyPost = rule(({ post_type, text, media, link }) =>
  post_type !== "post" || text.trim() !== "" || media.length > 0 || link !== null
    ? null
    : { field: "text", message: "A post on Facebook needs a text, a link or a file." },
);

const linkBesideFiles = rule(({ post_type, media, link }) => {
  if (link === null || (media.length === 0 && post_type === "post")) return null;
  const kind = post_type === "post" ? "Posts with files" : post_type === "reel" ? "Reels" : "Stories";
  const instead = post_type === "story" ? "leave it out" : "put the URL into the text";
  return { field: "link", message: `${kind} have no link card on Facebook: ${instead}.` };
});

const facebookHost = /(^|\.)(facebook\.com|fb\.com|fb\.me|fb\.watch)$/;

/** Facebook rejects it with 1609008. https://github.com/gitroomhq/postiz-app (2026-08) */
const linkToFacebook = rule(({ link }) =>
  link !== null && URL.canParse(link.url) && facebookHost.test(new URL(link.url).hostname)
    ? { field: "link.url", message: "Facebook rejects links to Facebook: put the URL into the text." }
    : null,
);

/** Options that stories do not have. */
const notInStories = ["first_comment", "targeting", "feed_targeting"] as const;

const storyOptions = rule(({ post_type, options }) => {
  const wrong = post_type === "story" ? firstGiven(options, notInStories) : undefined;
  return wrong === undefined ? null : problemAt(wrong, `Stories on Facebook have no ${wrong}.`);
});

const videoOptions = rule((input) => {
  const { options, post_type, media } = input;
  const kind = kindOf(input);
  const problem = (name: keyof FacebookOptions, words: string): Problem =>
    options[name] === undefined ? null : problemAt(name, `On Facebook ${name} is for ${words}.`);
  const hasVideo = media.some(({ type }) => type === "video");
  return (
    (kind === "video" ? null : problem("content_category", "posts of one video only")) ??
    (kind === "video" || kind === "reel" ? null : problem("thumbnail", "videos and reels only")) ??
    (kind === "reel" || (post_type === "story" && hasVideo) ? null : problem("place", "reels and story videos only"))
  );
});

const button = rule((input) => {
  const { options, link } = input;
  if (options.call_to_action === undefined) return null;
  const kind = kindOf(input);
  if (kind !== "video" && (kind !== "feed" || link === null))
    return problemAt("call_to_action", "On Facebook buttons require a post with a link or with one video.");
  const { type, link: target } = options.call_to_action;
  const needsTarget = !["NO_BUTTON", "LIKE_PAGE", "MESSAGE_PAGE"].includes(type);
  if (target !== undefined || link !== null || !needsTarget) return null;
  return problemAt("call_to_action.link", `The button ${type} needs a URL.`);
});

const background = rule(({ post_type, text, media, link, options }) => {
  if (options.text_format_preset_id === undefined) return null;
  if (post_type !== "post" || media.length > 0 || link !== null)
    return problemAt("text_format_preset_id", "On Facebook only text-only posts have a coloured background.");
  if (text.length <= maxTextOnBackground) return null;
  return problemAt(
    "text_format_preset_id",
    `On a coloured background Facebook shows at most ${maxTextOnBackground} characters; the text has ${text.length}.`,
  );
});

const narrowing = rule(({ options: { targeting, feed_targeting } }) => {
  const isEmpty = (value: object | undefined): boolean =>
    value !== undefined && Object.values(value).every((each) => each === undefined);
  if (isEmpty(targeting)) return problemAt("targeting", "Specify the audience: geo_locations or age_min.");
  for (const [name, given] of Object.entries({ targeting, feed_targeting }))
    if (isEmpty(given?.geo_locations))
      return problemAt(`${name}.geo_locations`, "Specify countries, regions or cities.");
  return null;
});

/** Checks that the limits table cannot express, in order. */
export const rules: readonly SpecRule<FacebookOptions>[] = [
  ...[emptyPost, linkBesideFiles, linkToFacebook, storyOptions, videoOptions, button, background, narrowing],
];
