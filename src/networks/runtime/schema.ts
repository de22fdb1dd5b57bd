import * as z from "zod";
import { documentedAnswer } from "../../wire/documented-object.ts";
import { mediaTypes } from "../contract/limits.ts";
import { networkId } from "../contract/network-id.ts";
import { inboxAccessSchema } from "./inbox-access-schema.ts";

const postType = z.enum(["post", "reel", "story"]);
const whole = z.int().optional();
const number = z.number().optional();

const movingSchema = documentedAnswer({
  /** The type that it counts as. */
  type: z.enum(mediaTypes).optional().describe("The type that it counts as."),
  /** Width times height. */
  max_pixels: whole.describe("Width times height."),
  /** The maximum number of frames. */
  max_frames: whole.describe("The maximum number of frames."),
  /** How it is shown. */
  action: z.string().optional().describe("How it is shown."),
});

const mediaRuleSchema = documentedAnswer({
  /** The type of files that this entry applies to. */
  type: z.enum(mediaTypes).describe("The type of files that this entry applies to."),
  /** MIME type, detected from the bytes: `image/jpeg`. */
  mime: z.string().describe("MIME type, detected from the bytes: `image/jpeg`."),
  /** The smallest file, bytes. */
  min_bytes: whole.describe("The smallest file, bytes."),
  /** The largest file, bytes. */
  max_bytes: z.int().describe("The largest file, bytes."),
  /** Pixels, after rotation. */
  min_width: whole.describe("Pixels, after rotation."),
  /** Pixels, after rotation. */
  max_width: whole.describe("Pixels, after rotation."),
  /** Pixels, after rotation. */
  min_height: whole.describe("Pixels, after rotation."),
  /** Pixels, after rotation. */
  max_height: whole.describe("Pixels, after rotation."),
  /** Pixels of the shorter side, after rotation. */
  max_short_side: whole.describe("Pixels of the shorter side, after rotation."),
  /** Width times height. */
  max_pixels: whole.describe("Width times height."),
  /** Width divided by height. */
  min_aspect: number.describe("Width divided by height."),
  /** Width divided by height. */
  max_aspect: number.describe("Width divided by height."),
  /** The shortest video, seconds. */
  min_seconds: number.describe("The shortest video, seconds."),
  /** The longest video, seconds. */
  max_seconds: number.describe("The longest video, seconds."),
  /** Accepted video codecs: `h264`, `hevc`, `vp9`, ... */
  codecs: z.array(z.string()).readonly().optional().describe("Accepted video codecs: `h264`, `hevc`, `vp9`, ..."),
  /** Accepted profiles by codec: `{ h264: ["main", "high"] }`; all profiles of other codecs. */
  profiles: z
    .record(z.string(), z.array(z.string()).readonly())
    .readonly()
    .optional()
    .describe('Accepted profiles by codec: `{ h264: ["main", "high"] }`; all profiles of other codecs.'),
  /** Accepted chroma subsamplings: `4:2:0`. */
  chromas: z
    .array(z.enum(["4:0:0", "4:2:0", "4:2:2", "4:4:4"]))
    .readonly()
    .optional()
    .describe("Accepted chroma subsamplings: `4:2:0`."),
  /** Accepted audio codecs: `aac`, `opus`, `mp3`, ... */
  audio_codecs: z.array(z.string()).readonly().optional().describe("Accepted audio codecs: `aac`, `opus`, `mp3`, ..."),
  /** The maximum number of audio channels: 2 is stereo. */
  max_audio_channels: whole.describe("The maximum number of audio channels: 2 is stereo."),
  /** Audio sample rate, hertz. */
  max_audio_sample_rate: whole.describe("Audio sample rate, hertz."),
  /** True: the index of an MP4 or MOV must precede the content. */
  index_first: z.boolean().optional().describe("True: the index of an MP4 or MOV must precede the content."),
  /** Bounds that the network recommends, but is not known to enforce. */
  advised: z
    .array(z.enum(["profiles", "chromas", "max_audio_channels", "max_audio_sample_rate", "index_first"]))
    .readonly()
    .optional()
    .describe("Bounds that the network recommends, but is not known to enforce."),
  /** Frames per second, rounded. */
  min_fps: number.describe("Frames per second, rounded."),
  /** Frames per second, rounded. */
  max_fps: number.describe("Frames per second, rounded."),
  /** Bits per second of the whole file, on average. */
  max_bitrate: whole.describe("Bits per second of the whole file, on average."),
  /** Frames of an animation. */
  max_frames: whole.describe("Frames of an animation."),
  /** How the network shows it, if that is unexpected. */
  action: z.string().optional().describe("How the network shows it, if that is unexpected."),
  /** Different limits for animated images: GIF, PNG, WebP or AVIF. */
  moving: movingSchema.optional().describe("Different limits for animated images: GIF, PNG, WebP or AVIF."),
  /** True: the network fetches these files from a public URL. */
  pulled: z.boolean().optional().describe("True: the network fetches these files from a public URL."),
});

const fileRuleSchema = documentedAnswer({
  /** Accepted MIME types, detected from the bytes: `image/jpeg`. */
  mimes: z.array(z.string()).readonly().describe("Accepted MIME types, detected from the bytes: `image/jpeg`."),
  /** The largest file, bytes. */
  max_bytes: z.int().describe("The largest file, bytes."),
  /** True: the network fetches it from a public URL. */
  pulled: z.boolean().optional().describe("True: the network fetches it from a public URL."),
});

const mediaSchema = documentedAnswer({
  /** The minimum number of files; absent: no minimum. */
  min_items: whole.describe("The minimum number of files; absent: no minimum."),
  /** The maximum number of files. */
  max_items: z.int().describe("The maximum number of files."),
  /** The maximum number of files of one type. */
  max_of_type: z
    .partialRecord(z.enum(mediaTypes), z.int())
    .optional()
    .describe("The maximum number of files of one type."),
  /** `any`: one post may have files of several types · `one_type`: of one type only. */
  mixing: z
    .enum(["any", "one_type"])
    .describe("`any`: one post may have files of several types · `one_type`: of one type only."),
  /** The accepted kinds of files. */
  types: z.array(mediaRuleSchema).readonly().describe("The accepted kinds of files."),
  /** Accepted video covers; absent: none. */
  cover: fileRuleSchema.optional().describe("Accepted video covers; absent: none."),
  /** The maximum length of alt text, in UTF-16 units. */
  max_alt: whole.describe("The maximum length of alt text, in UTF-16 units."),
  /** The maximum total bytes of all files. */
  max_total_bytes: whole.describe("The maximum total bytes of all files."),
});

const titleSchema = documentedAnswer({
  /** The maximum length of a title. */
  max: z.int().describe("The maximum length of a title."),
  /** True: a post without a title is rejected. */
  required: z.boolean().describe("True: a post without a title is rejected."),
}).nullable();

const textRuleSchema = documentedAnswer({
  /** The maximum length of a text, in `unit`. */
  max: z.int().describe("The maximum length of a text, in `unit`."),
  /** The unit of length: `graphemes`, `utf16`, ... */
  unit: z.string().describe("The unit of length: `graphemes`, `utf16`, ..."),
  /** An additional maximum in bytes of UTF-8. */
  max_bytes: whole.describe("An additional maximum in bytes of UTF-8."),
  /** The length that every URL counts as. */
  url_length: whole.describe("The length that every URL counts as."),
});

const variantSchema = documentedAnswer({
  /** The posts that it applies to: every given condition must hold. */
  when: documentedAnswer({
    /** Posts of this kind. */
    post_type: postType.optional().describe("Posts of this kind."),
    /** All files are of this type; `none`: no files. */
    media: z
      .enum([...mediaTypes, "none"])
      .optional()
      .describe("All files are of this type; `none`: no files."),
    /** At least this many files. */
    min_items: whole.describe("At least this many files."),
  }).describe("The posts that it applies to: every given condition must hold."),
  /** Different limits for text. */
  text: textRuleSchema.partial().optional().describe("Different limits for text."),
  /** Different limits for files. */
  media: mediaSchema.partial().optional().describe("Different limits for files."),
  /** Different limits for titles; null: no titles. */
  title: titleSchema.optional().describe("Different limits for titles; null: no titles."),
  /** How a link is shown, if different. */
  link_card: z.enum(["field", "from_text", "none"]).optional().describe("How a link is shown, if different."),
});

export const networkSchema = documentedAnswer({
  /** Its id. */
  network: networkId.describe("Its id."),
  /** The network's name, as it writes it. */
  name: z.string().describe("The network's name, as it writes it."),
  /** True: the service can publish on it. */
  publish: z.boolean().describe("True: the service can publish on it."),
  /** The maximum length of one post. */
  text: documentedAnswer({
    /** The maximum length of a text, in `unit`. */
    max: z.int().describe("The maximum length of a text, in `unit`."),
    /** The unit of length: `graphemes`, `utf16`, ... */
    unit: z.string().describe("The unit of length: `graphemes`, `utf16`, ..."),
    /** An additional maximum in bytes of UTF-8; null: none. */
    max_bytes: z.int().nullable().describe("An additional maximum in bytes of UTF-8; null: none."),
    /** The length that every URL counts as; null: its own length. */
    url_length: z.int().nullable().describe("The length that every URL counts as; null: its own length."),
    /** `@user@host` counts as `@user`. */
    bare_mentions: z.boolean().describe("`@user@host` counts as `@user`."),
  }).describe("The maximum length of one post."),
  /** True: a caption can become a thread of posts that reply to each other. */
  threads: z.boolean().describe("True: a caption can become a thread of posts that reply to each other."),
  /** Limits for the files of one post. */
  media: mediaSchema.describe("Limits for the files of one post."),
  /** Options whose value is a file's URL, and the accepted files. */
  option_files: z
    .record(z.string(), fileRuleSchema)
    .describe("Options whose value is a file's URL, and the accepted files."),
  /** Accepted images for a link card; empty: the network accepts none from the service. */
  link_picture: z
    .array(mediaRuleSchema)
    .readonly()
    .describe("Accepted images for a link card; empty: the network accepts none from the service."),
  /** The kinds of posts. */
  post_types: z.array(postType).readonly().describe("The kinds of posts."),
  /** Limits for titles. Null: the network has no titles. */
  title: titleSchema.describe("Limits for titles. Null: the network has no titles."),
  /** How a link is shown: as a card, as a URL in the text, or not at all. */
  link_card: z
    .enum(["field", "from_text", "none"])
    .describe("How a link is shown: as a card, as a URL in the text, or not at all."),
  /** Limits for a first comment, published with the post. */
  comment: documentedAnswer({
    /** The maximum length of a comment. */
    text: textRuleSchema.describe("The maximum length of a comment."),
  })
    .nullable()
    .describe("Limits for a first comment, published with the post."),
  /** Different limits for some posts: the first matching entry applies. */
  variants: z
    .array(variantSchema)
    .readonly()
    .describe("Different limits for some posts: the first matching entry applies."),
  /** The pass-through keys of `networks.<network>`, as JSON Schema. */
  options: z.record(z.string(), z.json()).describe("The pass-through keys of `networks.<network>`, as JSON Schema."),
  /** Options whose values depend on the account; the network lists them. */
  choices: z.array(z.string()).describe("Options whose values depend on the account; the network lists them."),
  /** JSON Schema of `credentials` when connecting. */
  credentials: z.record(z.string(), z.json()).describe("JSON Schema of `credentials` when connecting."),
  /** JSON Schema of `login` for a browser sign-in; null: accounts are connected only by credentials. */
  login: z
    .record(z.string(), z.json())
    .nullable()
    .describe("JSON Schema of `login` for a browser sign-in; null: accounts are connected only by credentials."),
  /** The inbox features of the network, for accounts that grant all permissions. */
  inbox: inboxAccessSchema.describe("The inbox features of the network, for accounts that grant all permissions."),
  /** How the service proceeds when a response is lost. */
  duplicates: z
    .array(z.enum(["keyed", "located", "may_be_live"]))
    .readonly()
    .describe("How the service proceeds when a response is lost."),
  /** The version of the network's API in use. */
  api_version: z.string().describe("The version of the network's API in use."),
  /** The day on which the network stops accepting it. */
  sunset_at: z.string().nullable().describe("The day on which the network stops accepting it."),
  /** The versions that can be used, each with the day on which the network stops accepting it. */
  versions: z
    .record(z.string(), z.string().nullable())
    .describe("The versions that can be used, each with the day on which the network stops accepting it."),
  /** The number of posts that the network accepts per day from your app, over all profiles; null: no limit is known. */
  app_quota: documentedAnswer({
    /** Posts per day. */
    posts: z.int().describe("Posts per day."),
    /** The time zone in which the day begins at midnight. */
    day_in: z.string().describe("The time zone in which the day begins at midnight."),
  })
    .nullable()
    .describe(
      "The number of posts that the network accepts per day from your app, over all profiles; null: no limit is known.",
    ),
  /** The network's charges to the app's owner, in US dollars, with the month of the price. */
  cost: z
    .array(
      documentedAnswer({
        /** The charged action. */
        for: z.enum(["post", "post_with_link", "read"]).describe("The charged action."),
        /** The price per action, US dollars. */
        usd: z.number().describe("The price per action, US dollars."),
        /** The month of the price: `2026-08`. */
        as_of: z.string().describe("The month of the price: `2026-08`."),
      }),
    )
    .readonly()
    .describe("The network's charges to the app's owner, in US dollars, with the month of the price."),
}).meta({ id: "Network" });

type Description = z.infer<typeof networkSchema>;

/** Different rules for some posts. Its fields are named so that an editor shows the comments above them. */
type VariantDescription = Omit<z.infer<typeof variantSchema>, "text" | "media"> & {
  /** Different limits for text. */
  text?: Partial<z.infer<typeof textRuleSchema>> | undefined;
  /** Different limits for files. */
  media?: Partial<Description["media"]> | undefined;
};

/** What a network accepts, as returned by `social.networks.list()`. */
export type NetworkDescription = Omit<Description, "variants"> & {
  /** Different limits for some posts: the first matching entry applies. */
  variants: readonly VariantDescription[];
};
