import type { PlanInput, PlannedMedia } from "../contract/plan.ts";
import type { SpecRule } from "../contract/spec.ts";
import { readKnown } from "./known.ts";
import type { InstagramOptions } from "./options.ts";

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09) */
const maxHashtags = 30;
const maxMentions = 20;

type Input = PlanInput<InstagramOptions>;
type Problem = { field: string; message: string } | null;

function option(path: string): string {
  return `networks.instagram.${path}`;
}

function rule(check: (input: Input) => Problem): SpecRule<InstagramOptions> {
  return { code: "invalid_request", check: ({ input }) => check(input) };
}

const hashtags = rule(({ text }) => {
  const count = text.match(/(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  if (count <= maxHashtags) return null;
  return { field: "text", message: `${count} hashtags; Instagram takes at most ${maxHashtags}.` };
});

const mentions = rule(({ text }) => {
  const count = text.match(/(?<![\w@.])@[\w.]+/g)?.length ?? 0;
  if (count <= maxMentions) return null;
  return { field: "text", message: `${count} mentions; Instagram takes at most ${maxMentions}.` };
});

/** What stories cannot have. */
const notInStories = ["first_comment", "comment_enabled", "collaborators", "location_id"] as const;
/** What only reels have; a post that is one video is a reel. */
const onlyInReels = [
  "share_to_feed",
  "cover_url",
  "thumb_offset",
  "audio_name",
  "audio_configuration",
  "trial_params",
] as const;
/** What only Facebook's login has. */
const onlyWithFacebook = ["audio_configuration", "is_paid_partnership"] as const;

const storyOptions = rule(({ post_type, options }) => {
  const wrong = post_type === "story" ? notInStories.find((name) => options[name] !== undefined) : undefined;
  return wrong === undefined ? null : { field: option(wrong), message: `Stories on Instagram have no ${wrong}.` };
});

const reelOptions = rule((input) => {
  if (isReel(input)) return null;
  const wrong = onlyInReels.find((name) => input.options[name] !== undefined);
  return wrong === undefined ? null : { field: option(wrong), message: `On Instagram ${wrong} is for reels only.` };
});

const loginOptions: SpecRule<InstagramOptions> = {
  code: "invalid_request",
  check({ input: { options }, profile }) {
    if (readKnown(profile).flavour === "facebook") return null;
    const wrong = onlyWithFacebook.find((name) => options[name] !== undefined);
    if (wrong === undefined) return null;
    const remedy = "Connect the account with Facebook's login, or leave it out.";
    return { field: option(wrong), message: `Instagram takes no ${wrong} with its own login. ${remedy}` };
  },
};

/** Is it published as a reel? */
export function isReel({ post_type, media }: Pick<Input, "post_type" | "media">): boolean {
  return post_type !== "story" && media.length === 1 && media[0]?.type === "video";
}

const commentSomewhere = rule(({ options: { first_comment, comment_enabled } }) => {
  if (first_comment === undefined || comment_enabled !== false) return null;
  return { field: option("first_comment"), message: "With comment_enabled false there can be no first comment." };
});

const tagPlaces = rule(({ post_type, media, options: { user_tags = [] } }) => {
  const problems = user_tags.map(({ item = 0, x, y }, index): Problem => {
    const field = option(`user_tags[${index}]`);
    const file = media[item];
    if (file === undefined) return { field: `${field}.item`, message: `The post has no file ${item}; the first is 0.` };
    return placeProblem(file, { x, y, isStory: post_type === "story" }, field);
  });
  return problems.find((problem) => problem !== null) ?? null;
});

function placeProblem(
  { type }: Pick<PlannedMedia, "type">,
  { x, y, isStory }: { x: number | undefined; y: number | undefined; isStory: boolean },
  field: string,
): Problem {
  if (type === "video" && (x !== undefined || y !== undefined))
    return { field: `${field}.x`, message: "On a film people are tagged without a place: leave out x and y." };
  if (type === "video") return null;
  if ((x === undefined) !== (y === undefined) || (x === undefined && !isStory))
    return {
      field: `${field}.${x === undefined ? "x" : "y"}`,
      message: "In a picture people are tagged at a place: give x and y.",
    };
  return null;
}

/** Videos of accounts with Instagram's own login are not taken: https://github.com/Cesium1377/n8n-instagram-auto-publisher (2026-08). Meta's guides contradict each other (unconfirmed). */
export const sentWithFacebookOnly: SpecRule<InstagramOptions> = {
  code: "unsupported",
  check({ input: { media }, profile }) {
    const index = media.findIndex(({ type }) => type === "video");
    if (index === -1 || readKnown(profile).flavour === "facebook") return null;
    const message =
      "Instagram takes videos that are sent to it with Facebook's login alone. Connect the account with that, or have " +
      'videos fetched (videoUpload: "pull").';
    return { field: `media[${index}]`, message };
  },
};

/** Checks that a table cannot say, in order. */
export const rules: readonly SpecRule<InstagramOptions>[] = [
  hashtags,
  mentions,
  storyOptions,
  reelOptions,
  loginOptions,
  commentSomewhere,
  tagPlaces,
];
