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
  /** Countries, as DE. */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, "Two capital letters, as in DE."))
    .min(1)
    .max(25)
    .optional()
    .describe("Countries, as DE."),
  /** Regions, by Facebook's keys. */
  regions: keyed.optional().describe("Regions, by Facebook's keys."),
  /** Cities, by Facebook's keys. */
  cities: keyed.optional().describe("Cities, by Facebook's keys."),
});

/** What is wrong besides is told by the network: https://developers.facebook.com/docs/pages-api/posts (2026-09) */
const ages = [13, 15, 18, 21, 25] as const;

const pageId = z.string().regex(/^\d{1,40}$/, "The id of a Facebook Page: digits.");

export const options = documentedObject({
  /** A comment of the Page's own under the post. Not under stories. */
  first_comment: z
    .string()
    .min(1)
    .optional()
    .describe("A comment of the Page's own under the post. Not under stories."),
  /** Who can see the post at all. Not for stories. */
  targeting: documentedObject({
    /** Where they are. */
    geo_locations: places.optional().describe("Where they are."),
    /** How old they are at least: 13, 15, 18, 21 or 25. */
    age_min: z.literal(ages).optional().describe("How old they are at least: 13, 15, 18, 21 or 25."),
  })
    .optional()
    .describe("Who can see the post at all. Not for stories."),
  /** In whose feeds the post is preferred; everybody can see it. Not for stories. */
  feed_targeting: documentedObject({
    /** Where they are. */
    geo_locations: places.describe("Where they are."),
  })
    .optional()
    .describe("In whose feeds the post is preferred; everybody can see it. Not for stories."),
  /** A button on the card of a link, or below a film. */
  call_to_action: documentedObject({
    /** What is on the button. */
    type: z.enum(callsToAction).describe("What is on the button."),
    /** Where it leads. Default: where the post's link does. */
    link: webAddress.max(2048).optional().describe("Where it leads. Default: where the post's link does."),
  })
    .optional()
    .describe("A button on the card of a link, or below a film."),
  /** Films: what they are about. */
  content_category: z.enum(contentCategories).optional().describe("Films: what they are about."),
  /** Reels and films of stories: id of a Page that has a place. */
  place: pageId.optional().describe("Reels and films of stories: id of a Page that has a place."),
  /**
   * Posts of nothing but 130 characters of text at most: id of a coloured background. Facebook lists none, and retires
   * some.
   */
  text_format_preset_id: z
    .string()
    .regex(/^\d{1,40}$/, "The id of a background: digits.")
    .optional()
    .describe(
      "Posts of nothing but 130 characters of text at most: id of a coloured background. Facebook lists none, and retires some.",
    ),
  /** Films and reels: address of a JPEG or PNG as cover. Wins over thumbnail_url. */
  thumbnail: webAddress
    .max(2048)
    .optional()
    .describe("Films and reels: address of a JPEG or PNG as cover. Wins over thumbnail_url."),
});

export type FacebookOptions = z.infer<typeof options>;
