import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";
import { snowflake } from "./snowflake.ts";

/** https://docs.discord.com/developers/resources/message, "Allowed Mentions Object" (2026-08) */
const allowedMentions = documentedObject({
  /** Kinds of mentions in the text that send notifications. */
  parse: z
    .array(z.enum(["users", "roles", "everyone"]))
    .max(3)
    .optional()
    .describe("Kinds of mentions in the text that send notifications."),
  /** Ids of the users that may be notified. */
  users: z.array(snowflake).max(100).optional().describe("Ids of the users that may be notified."),
  /** Ids of the roles that may be notified. */
  roles: z.array(snowflake).max(100).optional().describe("Ids of the roles that may be notified."),
  /** Notify the author of the message replied to. Default false. */
  replied_user: z.boolean().optional().describe("Notify the author of the message replied to. Default false."),
}).refine(
  ({ parse = [], users = [], roles = [] }) =>
    !(parse.includes("users") && users.length > 0) && !(parse.includes("roles") && roles.length > 0),
  "List either a kind in parse or its ids, not both.",
);

/** https://docs.discord.com/developers/resources/poll (2026-08) */
const poll = documentedObject({
  /** The question, at most 300 characters. */
  question: z.string().min(1).max(300).describe("The question, at most 300 characters."),
  /** The answers to choose from, 1 to 10 of at most 55 characters. */
  answers: z
    .array(z.string().min(1).max(55))
    .min(1)
    .max(10)
    .describe("The answers to choose from, 1 to 10 of at most 55 characters."),
  /** How long it is open, 1 to 768 hours. Default 24. */
  duration_hours: z.int().min(1).max(768).optional().describe("How long it is open, 1 to 768 hours. Default 24."),
  /** Several answers may be chosen. Default false. */
  multiple: z.boolean().optional().describe("Several answers may be chosen. Default false."),
});

const link = webAddress.max(2048);
const picture = documentedObject({
  /** URL of the image. */
  url: link.describe("URL of the image."),
});

/** https://docs.discord.com/developers/resources/message, "Embed Limits" (2026-08) */
const embed = documentedObject({
  /** At most 256 characters. */
  title: z.string().min(1).max(256).optional().describe("At most 256 characters."),
  /** At most 4096 characters, Markdown. */
  description: z.string().min(1).max(4096).optional().describe("At most 4096 characters, Markdown."),
  /** URL that the title links to. */
  url: link.optional().describe("URL that the title links to."),
  /** Color of the edge: red × 65536 + green × 256 + blue. */
  color: z.int().min(0).max(0xffffff).optional().describe("Color of the edge: red × 65536 + green × 256 + blue."),
  /** A time shown at the end, ISO 8601. */
  timestamp: z.iso.datetime().optional().describe("A time shown at the end, ISO 8601."),
  /** A line above the title. */
  author: documentedObject({
    /** At most 256 characters. */
    name: z.string().min(1).max(256).describe("At most 256 characters."),
    /** URL that the name links to. */
    url: link.optional().describe("URL that the name links to."),
    /** A small image beside the name. */
    icon_url: link.optional().describe("A small image beside the name."),
  })
    .optional()
    .describe("A line above the title."),
  /** A line below everything. */
  footer: documentedObject({
    /** At most 2048 characters. */
    text: z.string().min(1).max(2048).describe("At most 2048 characters."),
    /** A small image beside the text. */
    icon_url: link.optional().describe("A small image beside the text."),
  })
    .optional()
    .describe("A line below everything."),
  /** Named values, at most 25. */
  fields: z
    .array(
      documentedObject({
        /** At most 256 characters. */
        name: z.string().min(1).max(256).describe("At most 256 characters."),
        /** At most 1024 characters. */
        value: z.string().min(1).max(1024).describe("At most 1024 characters."),
        /** True: shown beside the previous field. Default false. */
        inline: z.boolean().optional().describe("True: shown beside the previous field. Default false."),
      }),
    )
    .min(1)
    .max(25)
    .optional()
    .describe("Named values, at most 25."),
  /** A large image. */
  image: picture.optional().describe("A large image."),
  /** A small image at the side. */
  thumbnail: picture.optional().describe("A small image at the side."),
});

export const options = documentedObject({
  /** The mentions that send notifications. Default: none. */
  allowed_mentions: allowedMentions.optional().describe("The mentions that send notifications. Default: none."),
  /** Show no cards for the links in the text. Default false. */
  suppress_embeds: z.boolean().optional().describe("Show no cards for the links in the text. Default false."),
  /** True: the message sends no notifications. Default false. */
  silent: z.boolean().optional().describe("True: the message sends no notifications. Default false."),
  /** Rich boxes below the text, at most 10. */
  embeds: z.array(embed).min(1).max(10).optional().describe("Rich boxes below the text, at most 10."),
  /** A poll below the text. */
  poll: poll.optional().describe("A poll below the text."),
  /** Hide the files until they are clicked. Default false. */
  spoiler: z.boolean().optional().describe("Hide the files until they are clicked. Default false."),
  /** Id of the message in the channel to reply to. Bots only. */
  reply_to: snowflake.optional().describe("Id of the message in the channel to reply to. Bots only."),
  /** Publish the message to the channels that follow this announcement channel. Bots only. Default false. */
  crosspost: z
    .boolean()
    .optional()
    .describe("Publish the message to the channels that follow this announcement channel. Bots only. Default false."),
  /** The author's name shown on the message. Webhooks only. */
  username: z
    .string()
    .min(1)
    .max(80)
    .refine((name) => !/discord|clyde/i.test(name), "Must not contain “discord” or “clyde”: Discord rejects them.")
    .optional()
    .describe("The author's name shown on the message. Webhooks only."),
  /** URL of the author's avatar shown on the message. Webhooks only. */
  avatar_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .describe("URL of the author's avatar shown on the message. Webhooks only."),
  /**
   * Title of the post in a forum or media channel. Default with a bot: the title, else the text's first line. Webhooks
   * in these channels need it.
   */
  thread_name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Title of the post in a forum or media channel. Default with a bot: the title, else the text's first line. Webhooks in these channels need it.",
    ),
  /** Ids of the tags of a post in a forum or media channel, at most 5. */
  applied_tags: z
    .array(snowflake)
    .min(1)
    .max(5)
    .optional()
    .describe("Ids of the tags of a post in a forum or media channel, at most 5."),
});

export type DiscordOptions = z.infer<typeof options>;
export type Embed = NonNullable<DiscordOptions["embeds"]>[number];
