import type { PlanInput, PlannedMedia } from "../contract/plan.ts";
import type { SpecRule } from "../contract/spec.ts";
import { firstGiven, type Problem, rulesOf } from "../shared/rules.ts";
import { readKnown } from "./known.ts";
import { productTagScope } from "./oauth.ts";
import type { InstagramOptions } from "./options.ts";

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09) */
const maxHashtags = 30;
const maxMentions = 20;

/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-media/product_tags (2026-04) */
const maxProducts = { file: 20, reel: 30 };

type Input = PlanInput<InstagramOptions>;
const { rule: ruleAs, problemAt } = rulesOf<InstagramOptions>("instagram");

function rule(check: (input: Input) => Problem): SpecRule<InstagramOptions> {
  return ruleAs("invalid_request", ({ input }) => check(input));
}

const hashtags = rule(({ text }) => {
  const count = text.match(/(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  if (count <= maxHashtags) return null;
  return { field: "text", message: `${count} hashtags; Instagram accepts at most ${maxHashtags}.` };
});

const mentions = rule(({ text }) => {
  const count = text.match(/(?<![\w@.])@[\w.]+/g)?.length ?? 0;
  if (count <= maxMentions) return null;
  return { field: "text", message: `${count} mentions; Instagram accepts at most ${maxMentions}.` };
});

/** What stories cannot have. */
const notInStories = ["first_comment", "comment_enabled", "collaborators", "product_tags", "location_id"] as const;
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
const onlyWithFacebook = ["audio_configuration", "is_paid_partnership", "product_tags"] as const;

const storyOptions = rule(({ post_type, options }) => {
  const wrong = post_type === "story" ? firstGiven(options, notInStories) : undefined;
  return wrong === undefined ? null : problemAt(wrong, `Stories on Instagram have no ${wrong}.`);
});

const reelOptions = rule((input) => {
  if (isReel(input)) return null;
  const wrong = firstGiven(input.options, onlyInReels);
  return wrong === undefined ? null : problemAt(wrong, `On Instagram ${wrong} is for reels only.`);
});

const loginOptions = ruleAs("invalid_request", ({ input: { options }, profile }) => {
  if (readKnown(profile).flavour === "facebook") return null;
  const wrong = firstGiven(options, onlyWithFacebook);
  if (wrong === undefined) return null;
  const remedy = "Connect the account with Facebook Login, or leave it out.";
  return problemAt(wrong, `Instagram accepts no ${wrong} with Instagram Login. ${remedy}`);
});

/** Is it published as a reel? */
export function isReel({ post_type, media }: Pick<Input, "post_type" | "media">): boolean {
  return post_type !== "story" && media.length === 1 && media[0]?.type === "video";
}

const commentSomewhere = rule(({ options: { first_comment, comment_enabled } }) => {
  if (first_comment === undefined || comment_enabled !== false) return null;
  return problemAt("first_comment", "With comment_enabled false there can be no first comment.");
});

/** Who and what stands in the files, and where. */
const tagPlaces = rule(({ post_type, media, options: { user_tags = [], product_tags = [] } }) => {
  const isStory = post_type === "story";
  return (
    firstProblem(user_tags, (tag, index) => placeProblem(media, tag, { list: "user_tags", index, isStory })) ??
    firstProblem(product_tags, (tag, index) => placeProblem(media, tag, { list: "product_tags", index, isStory }))
  );
});

function firstProblem<Item>(items: readonly Item[], check: (item: Item, index: number) => Problem): Problem {
  return items.map(check).find((problem) => problem !== null) ?? null;
}

interface Tag {
  item?: number | undefined;
  x?: number | undefined;
  y?: number | undefined;
}

const tagged = { user_tags: "people", product_tags: "products" } as const;

function placeProblem(
  media: readonly Pick<PlannedMedia, "type">[],
  { item = 0, x, y }: Tag,
  { list, index, isStory }: { list: keyof typeof tagged; index: number; isStory: boolean },
): Problem {
  const at = `${list}[${index}]`;
  const file = media[item];
  if (file === undefined) return problemAt(`${at}.item`, `The post has no file ${item}; the first is 0.`);
  const hasOne = x !== undefined || y !== undefined;
  if (file.type === "video" && hasOne)
    return problemAt(`${at}.x`, `In a video ${tagged[list]} are tagged without a position: leave out x and y.`);
  if (file.type === "video" || (isStory && !hasOne) || (x !== undefined && y !== undefined)) return null;
  const missing = x === undefined ? "x" : "y";
  return problemAt(`${at}.${missing}`, `In an image ${tagged[list]} are tagged at a position: set x and y.`);
}

const products = rule((input) => {
  const { product_tags = [] } = input.options;
  const max = isReel(input) ? maxProducts.reel : maxProducts.file;
  return firstProblem(product_tags, ({ product_id, item = 0 }, index) => {
    const before = product_tags.slice(0, index).filter((tag) => (tag.item ?? 0) === item);
    if (before.length >= max)
      return problemAt(
        `product_tags[${index}]`,
        `File ${item} has more than the ${max} products that Instagram accepts.`,
      );
    if (before.every((tag) => tag.product_id !== product_id)) return null;
    return problemAt(`product_tags[${index}].product_id`, `File ${item} has this product twice: list it once.`);
  });
});

const shopPermission = ruleAs("unsupported", ({ input: { options }, profile }) => {
  const { scopes } = readKnown(profile);
  // What a token that was handed in may do is not always known.
  if (options.product_tags === undefined || scopes.length === 0 || scopes.includes(productTagScope)) return null;
  const message = `The access token lacks ${productTagScope}: add it to furtherScopes, and reconnect the profile.`;
  return problemAt("product_tags", message);
});

/** Videos of accounts with Instagram's own login are not taken: https://github.com/Cesium1377/n8n-instagram-auto-publisher (2026-08). Meta's guides contradict each other (unconfirmed). */
export const sentWithFacebookOnly = ruleAs("unsupported", ({ input: { media }, profile }) => {
  const index = media.findIndex(({ type }) => type === "video");
  if (index === -1 || readKnown(profile).flavour === "facebook") return null;
  const message =
    "Instagram accepts video uploads only with Facebook Login. Connect the account with it, or have " +
    'videos fetched (videoUpload: "pull").';
  return { field: `media[${index}]`, message };
});

/** Checks that a table cannot say, in order. */
export const rules: readonly SpecRule<InstagramOptions>[] = [
  hashtags,
  mentions,
  storyOptions,
  reelOptions,
  loginOptions,
  commentSomewhere,
  tagPlaces,
  products,
  shopPermission,
];
