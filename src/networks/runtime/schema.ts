import * as z from "zod";
import { documentedAnswer } from "../../wire/documented-object.ts";
import { mediaTypes } from "../contract/limits.ts";
import { networkId } from "../contract/network-id.ts";

const inboxAccess = z.enum(["none", "read", "reply"]);
const postType = z.enum(["post", "reel", "story"]);
const whole = z.int().optional();
const number = z.number().optional();

const movingSchema = documentedAnswer({
  /** What it counts as. */
  type: z.enum(mediaTypes).optional().describe("What it counts as."),
  /** Width times height. */
  max_pixels: whole.describe("Width times height."),
  /** How many pictures it may have. */
  max_frames: whole.describe("How many pictures it may have."),
  /** How it is shown. */
  action: z.string().optional().describe("How it is shown."),
});

const mediaRuleSchema = documentedAnswer({
  /** What such files are. */
  type: z.enum(mediaTypes).describe("What such files are."),
  /** From the bytes: `image/jpeg`. */
  mime: z.string().describe("From the bytes: `image/jpeg`."),
  /** The smallest file, bytes. */
  min_bytes: whole.describe("The smallest file, bytes."),
  /** The largest file, bytes. */
  max_bytes: z.int().describe("The largest file, bytes."),
  /** Pixels as shown. */
  min_width: whole.describe("Pixels as shown."),
  /** Pixels as shown. */
  max_width: whole.describe("Pixels as shown."),
  /** Pixels as shown. */
  min_height: whole.describe("Pixels as shown."),
  /** Pixels as shown. */
  max_height: whole.describe("Pixels as shown."),
  /** Pixels of the shorter side, as shown. */
  max_short_side: whole.describe("Pixels of the shorter side, as shown."),
  /** Width times height. */
  max_pixels: whole.describe("Width times height."),
  /** Width divided by height. */
  min_aspect: number.describe("Width divided by height."),
  /** Width divided by height. */
  max_aspect: number.describe("Width divided by height."),
  /** The shortest film, seconds. */
  min_seconds: number.describe("The shortest film, seconds."),
  /** The longest film, seconds. */
  max_seconds: number.describe("The longest film, seconds."),
  /** Of the picture: `h264`, `hevc`, `vp9`, ... */
  codecs: z.array(z.string()).readonly().optional().describe("Of the picture: `h264`, `hevc`, `vp9`, ..."),
  /** Of a codec, the profiles that are taken: `{ h264: ["main", "high"] }`; of others all. */
  profiles: z
    .record(z.string(), z.array(z.string()).readonly())
    .readonly()
    .optional()
    .describe('Of a codec, the profiles that are taken: `{ h264: ["main", "high"] }`; of others all.'),
  /** How much of the colour the pictures may keep: `4:2:0`. */
  chromas: z
    .array(z.enum(["4:0:0", "4:2:0", "4:2:2", "4:4:4"]))
    .readonly()
    .optional()
    .describe("How much of the colour the pictures may keep: `4:2:0`."),
  /** Of the sound: `aac`, `opus`, `mp3`, ... */
  audio_codecs: z.array(z.string()).readonly().optional().describe("Of the sound: `aac`, `opus`, `mp3`, ..."),
  /** The most channels of sound: 2 is stereo. */
  max_audio_channels: whole.describe("The most channels of sound: 2 is stereo."),
  /** Of the sound, hertz. */
  max_audio_sample_rate: whole.describe("Of the sound, hertz."),
  /** True: the index of an MP4 or MOV stands before the content. */
  index_first: z.boolean().optional().describe("True: the index of an MP4 or MOV stands before the content."),
  /** Which of these bounds the network asks for, and is not known to insist on. */
  advised: z
    .array(z.enum(["profiles", "chromas", "max_audio_channels", "max_audio_sample_rate", "index_first"]))
    .readonly()
    .optional()
    .describe("Which of these bounds the network asks for, and is not known to insist on."),
  /** Frames a second, rounded. */
  min_fps: number.describe("Frames a second, rounded."),
  /** Frames a second, rounded. */
  max_fps: number.describe("Frames a second, rounded."),
  /** Bits a second of the whole file, on average. */
  max_bitrate: whole.describe("Bits a second of the whole file, on average."),
  /** Pictures in one file: animations. */
  max_frames: whole.describe("Pictures in one file: animations."),
  /** Shown otherwise than one may expect: how. */
  action: z.string().optional().describe("Shown otherwise than one may expect: how."),
  /** What differs for a picture that moves: an animated GIF, PNG, WebP or AVIF. */
  moving: movingSchema
    .optional()
    .describe("What differs for a picture that moves: an animated GIF, PNG, WebP or AVIF."),
  /** True: the network fetches such a file itself, from an address on the internet. */
  pulled: z
    .boolean()
    .optional()
    .describe("True: the network fetches such a file itself, from an address on the internet."),
});

const fileRuleSchema = documentedAnswer({
  /** The types of its bytes: `image/jpeg`. */
  mimes: z.array(z.string()).readonly().describe("The types of its bytes: `image/jpeg`."),
  /** The largest file, bytes. */
  max_bytes: z.int().describe("The largest file, bytes."),
  /** True: the network fetches it itself, from an address on the internet. */
  pulled: z.boolean().optional().describe("True: the network fetches it itself, from an address on the internet."),
});

const mediaSchema = documentedAnswer({
  /** The fewest files; absent: none is needed. */
  min_items: whole.describe("The fewest files; absent: none is needed."),
  /** The most files. */
  max_items: z.int().describe("The most files."),
  /** The most files of one type. */
  max_of_type: z.partialRecord(z.enum(mediaTypes), z.int()).optional().describe("The most files of one type."),
  /** May one post have files of several types? */
  mixing: z.enum(["any", "one_type"]).describe("May one post have files of several types?"),
  /** The kinds of files that are taken. */
  types: z.array(mediaRuleSchema).readonly().describe("The kinds of files that are taken."),
  /** Which covers films may have; absent: none. */
  cover: fileRuleSchema.optional().describe("Which covers films may have; absent: none."),
  /** How long alt text may be, in UTF-16 units. */
  max_alt: whole.describe("How long alt text may be, in UTF-16 units."),
  /** The most bytes of all files together. */
  max_total_bytes: whole.describe("The most bytes of all files together."),
});

const titleSchema = documentedAnswer({
  /** How long a title may be. */
  max: z.int().describe("How long a title may be."),
  /** A post without one is refused. */
  required: z.boolean().describe("A post without one is refused."),
}).nullable();

const textRuleSchema = documentedAnswer({
  /** How long a text may be, in `unit`. */
  max: z.int().describe("How long a text may be, in `unit`."),
  /** What is counted: `graphemes`, `utf16`, ... */
  unit: z.string().describe("What is counted: `graphemes`, `utf16`, ..."),
  /** How many bytes of UTF-8 it may be besides. */
  max_bytes: whole.describe("How many bytes of UTF-8 it may be besides."),
  /** What every address counts as. */
  url_length: whole.describe("What every address counts as."),
});

const variantSchema = documentedAnswer({
  /** Which posts it is for: all that is named must hold. */
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
  }).describe("Which posts it is for: all that is named must hold."),
  /** What is otherwise for text. */
  text: textRuleSchema.partial().optional().describe("What is otherwise for text."),
  /** What is otherwise for files. */
  media: mediaSchema.partial().optional().describe("What is otherwise for files."),
  /** What is otherwise for titles; null: there are none. */
  title: titleSchema.optional().describe("What is otherwise for titles; null: there are none."),
  /** What becomes of a link, where that is otherwise. */
  link_card: z
    .enum(["field", "from_text", "none"])
    .optional()
    .describe("What becomes of a link, where that is otherwise."),
});

export const networkSchema = documentedAnswer({
  /** Its id. */
  network: networkId.describe("Its id."),
  /** As the network writes itself. */
  name: z.string().describe("As the network writes itself."),
  /** May posts go there? */
  publish: z.boolean().describe("May posts go there?"),
  /** How long one post may be. */
  text: documentedAnswer({
    /** How long a text may be, in `unit`. */
    max: z.int().describe("How long a text may be, in `unit`."),
    /** What is counted: `graphemes`, `utf16`, ... */
    unit: z.string().describe("What is counted: `graphemes`, `utf16`, ..."),
    /** How many bytes of UTF-8 it may be besides; null: any. */
    max_bytes: z.int().nullable().describe("How many bytes of UTF-8 it may be besides; null: any."),
    /** What every address counts as; null: its own length. */
    url_length: z.int().nullable().describe("What every address counts as; null: its own length."),
    /** `@user@host` counts as `@user`. */
    bare_mentions: z.boolean().describe("`@user@host` counts as `@user`."),
  }).describe("How long one post may be."),
  /** May a caption become several posts that reply to each other? */
  threads: z.boolean().describe("May a caption become several posts that reply to each other?"),
  /** Which files one post may have. */
  media: mediaSchema.describe("Which files one post may have."),
  /** Options whose value is the address of a file, and what that may be. */
  option_files: z
    .record(z.string(), fileRuleSchema)
    .describe("Options whose value is the address of a file, and what that may be."),
  /** What the picture of a link's card may be; empty: it takes none from us. */
  link_picture: z
    .array(mediaRuleSchema)
    .readonly()
    .describe("What the picture of a link's card may be; empty: it takes none from us."),
  /** The kinds of posts that there are. */
  post_types: z.array(postType).readonly().describe("The kinds of posts that there are."),
  /** Null: the network has no titles. */
  title: titleSchema.describe("Null: the network has no titles."),
  /** What becomes of a link: a card of its own, an address in the text, or nothing. */
  link_card: z
    .enum(["field", "from_text", "none"])
    .describe("What becomes of a link: a card of its own, an address in the text, or nothing."),
  /** A first comment, which goes out with the post. */
  comment: documentedAnswer({
    /** How long a comment may be. */
    text: textRuleSchema.describe("How long a comment may be."),
  })
    .nullable()
    .describe("A first comment, which goes out with the post."),
  /** Other limits for some posts: the first that fits a post holds. */
  variants: z
    .array(variantSchema)
    .readonly()
    .describe("Other limits for some posts: the first that fits a post holds."),
  /** The pass-through keys of `networks.<network>`, as JSON Schema. */
  options: z.record(z.string(), z.json()).describe("The pass-through keys of `networks.<network>`, as JSON Schema."),
  /** Options whose values depend on the account, and are read from the network. */
  choices: z.array(z.string()).describe("Options whose values depend on the account, and are read from the network."),
  /** What connecting takes as `credentials`, as JSON Schema. */
  credentials: z.record(z.string(), z.json()).describe("What connecting takes as `credentials`, as JSON Schema."),
  /**
   * What a login in the browser takes as `login`, as JSON Schema; null: accounts are connected by credentials alone.
   */
  login: z
    .record(z.string(), z.json())
    .nullable()
    .describe(
      "What a login in the browser takes as `login`, as JSON Schema; null: accounts are connected by credentials alone.",
    ),
  /** What may be done with what others write to an account. */
  inbox: documentedAnswer({
    /** Direct messages. */
    dm: inboxAccess.describe("Direct messages."),
    /** Comments under its posts. */
    comment: inboxAccess.describe("Comments under its posts."),
    /** Posts that name it. */
    mention: inboxAccess.describe("Posts that name it."),
  }).describe("What may be done with what others write to an account."),
  /** What happens when an answer is lost. */
  duplicates: z
    .array(z.enum(["keyed", "located", "may_be_live"]))
    .readonly()
    .describe("What happens when an answer is lost."),
  /** The version of the network's API that is in use. */
  api_version: z.string().describe("The version of the network's API that is in use."),
  /** The day from which on the network no longer takes it. */
  sunset_at: z.string().nullable().describe("The day from which on the network no longer takes it."),
  /** The versions that can be used, each with the day from which on the network no longer takes it. */
  versions: z
    .record(z.string(), z.string().nullable())
    .describe("The versions that can be used, each with the day from which on the network no longer takes it."),
  /** How many posts of your app the network takes in a day, on all profiles together; null: no such bound is known. */
  app_quota: documentedAnswer({
    /** Of a day. */
    posts: z.int().describe("Of a day."),
    /** The zone in which the day begins at midnight. */
    day_in: z.string().describe("The zone in which the day begins at midnight."),
  })
    .nullable()
    .describe(
      "How many posts of your app the network takes in a day, on all profiles together; null: no such bound is known.",
    ),
  /** What the network charges the owner of the app, US dollars, and the month in which it did. */
  cost: z
    .array(
      documentedAnswer({
        /** What is charged for. */
        for: z.enum(["post", "post_with_link", "read"]).describe("What is charged for."),
        /** US dollars for each. */
        usd: z.number().describe("US dollars for each."),
        /** The month in which it was so: `2026-08`. */
        as_of: z.string().describe("The month in which it was so: `2026-08`."),
      }),
    )
    .readonly()
    .describe("What the network charges the owner of the app, US dollars, and the month in which it did."),
}).meta({ id: "Network" });

type Description = z.infer<typeof networkSchema>;

/** What is otherwise for some posts. Its fields are named, so that an editor finds the comments above them. */
type VariantDescription = Omit<z.infer<typeof variantSchema>, "text" | "media"> & {
  /** What is otherwise for text. */
  text?: Partial<z.infer<typeof textRuleSchema>> | undefined;
  /** What is otherwise for files. */
  media?: Partial<Description["media"]> | undefined;
};

/** What a network accepts, as `social.networks.list()` shows it. */
export type NetworkDescription = Omit<Description, "variants"> & {
  /** Other limits for some posts: the first that fits a post holds. */
  variants: readonly VariantDescription[];
};
