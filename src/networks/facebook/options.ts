import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** Of the table for ads, which has a hundred more. https://developers.facebook.com/docs/graph-api/reference/page/feed/ (2026-09) */
const callsToAction = [
  ...(["BOOK_TRAVEL", "BUY_NOW", "CALL_NOW", "DOWNLOAD", "GET_DIRECTIONS", "GET_QUOTE", "LEARN_MORE"] as const),
  ...(["LIKE_PAGE", "LISTEN_MUSIC", "MESSAGE_PAGE", "NO_BUTTON", "OPEN_LINK", "SHOP_NOW", "SIGN_UP"] as const),
  ...(["SUBSCRIBE", "WATCH_MORE", "WATCH_VIDEO"] as const),
] as const;

/** https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09) */
const contentCategories = [
  ...(["BEAUTY_FASHION", "BUSINESS", "CARS_TRUCKS", "COMEDY", "CUTE_ANIMALS", "ENTERTAINMENT", "FAMILY"] as const),
  ...(["FOOD_HEALTH", "HOME", "LIFESTYLE", "MUSIC", "NEWS", "POLITICS", "SCIENCE", "SPORTS"] as const),
  ...(["TECHNOLOGY", "VIDEO_GAMING", "OTHER"] as const),
] as const;

const keyed = z
  .array(
    documentedObject({
      /** Facebook's key for the place. */
      key: z.string().min(1).max(40).describe("Facebook's key for the place."),
    }),
  )
  .min(1)
  .max(200);

const places = documentedObject({
  /** Countries, such as DE. */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, "Must be two capital letters, such as DE."))
    .min(1)
    .max(25)
    .optional()
    .describe("Countries, such as DE."),
  /** Regions, by Facebook's keys. */
  regions: keyed.optional().describe("Regions, by Facebook's keys."),
  /** Cities, by Facebook's keys. */
  cities: keyed.optional().describe("Cities, by Facebook's keys."),
});

/** What is wrong besides is told by the network: https://developers.facebook.com/docs/pages-api/posts (2026-09) */
const ages = [13, 15, 18, 21, 25] as const;

const pageId = z.string().regex(/^\d{1,40}$/, "The id of a Facebook Page: digits.");

export const options = documentedObject({
  /** A comment by the Page under the post. Not under stories. */
  first_comment: z.string().min(1).optional().describe("A comment by the Page under the post. Not under stories."),
  /** Restricts who can see the post. Not for stories. */
  targeting: documentedObject({
    /** Their location. */
    geo_locations: places.optional().describe("Their location."),
    /** Minimum age: 13, 15, 18, 21 or 25. */
    age_min: z.literal(ages).optional().describe("Minimum age: 13, 15, 18, 21 or 25."),
  })
    .optional()
    .describe("Restricts who can see the post. Not for stories."),
  /** The audience whose feeds prefer the post; all users can see it. Not for stories. */
  feed_targeting: documentedObject({
    /** Their location. */
    geo_locations: places.describe("Their location."),
  })
    .optional()
    .describe("The audience whose feeds prefer the post; all users can see it. Not for stories."),
  /** A button on a link card, or below a video. */
  call_to_action: documentedObject({
    /** The button's label. */
    type: z.enum(callsToAction).describe("The button's label."),
    /** URL that it links to. Default: the post's link. */
    link: webAddress.max(2048).optional().describe("URL that it links to. Default: the post's link."),
  })
    .optional()
    .describe("A button on a link card, or below a video."),
  /** Videos: topics. */
  content_category: z.enum(contentCategories).optional().describe("Videos: topics."),
  /** Reels and story videos: id of a Page that has a place. */
  place: pageId.optional().describe("Reels and story videos: id of a Page that has a place."),
  /**
   * Text-only posts of at most 130 characters: id of a coloured background. Facebook publishes no list of ids, and
   * retires some.
   */
  text_format_preset_id: z
    .string()
    .regex(/^\d{1,40}$/, "The id of a background: digits.")
    .optional()
    .describe(
      "Text-only posts of at most 130 characters: id of a coloured background. Facebook publishes no list of ids, and retires some.",
    ),
  /** Videos and reels: URL of a JPEG or PNG cover image. Takes precedence over thumbnail_url. */
  thumbnail: webAddress
    .max(2048)
    .optional()
    .describe("Videos and reels: URL of a JPEG or PNG cover image. Takes precedence over thumbnail_url."),
});

export type FacebookOptions = z.infer<typeof options>;
