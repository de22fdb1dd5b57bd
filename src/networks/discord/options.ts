import { z } from "zod";
import { embed } from "./embed.ts";
import { snowflake } from "./snowflake.ts";

/** https://docs.discord.com/developers/resources/message, "Allowed Mentions Object" (2026-08) */
const allowedMentions = z
  .strictObject({
    parse: z
      .array(z.enum(["users", "roles", "everyone"]))
      .max(3)
      .optional()
      .describe("Kinds of mentions in the text that notify."),
    users: z.array(snowflake).max(100).optional().describe("Ids of the users that may be notified."),
    roles: z.array(snowflake).max(100).optional().describe("Ids of the roles that may be notified."),
    replied_user: z.boolean().optional().describe("Notify the author of the message replied to. Default false."),
  })
  .refine(
    ({ parse = [], users = [], roles = [] }) =>
      !(parse.includes("users") && users.length > 0) && !(parse.includes("roles") && roles.length > 0),
    "Name either a kind in parse or its ids, not both.",
  );

/** https://docs.discord.com/developers/resources/poll (2026-08) */
const poll = z.strictObject({
  question: z.string().min(1).max(300).describe("The question, at most 300 characters."),
  answers: z
    .array(z.string().min(1).max(55))
    .min(1)
    .max(10)
    .describe("The answers to choose from, 1 to 10 of at most 55 characters."),
  duration_hours: z.int().min(1).max(768).optional().describe("How long it is open, 1 to 768 hours. Default 24."),
  multiple: z.boolean().optional().describe("Several answers may be chosen. Default false."),
});

export const options = z.strictObject({
  allowed_mentions: allowedMentions.optional().describe("Which mentions notify people. Default: none."),
  suppress_embeds: z.boolean().optional().describe("Show no cards for the links in the text. Default false."),
  silent: z.boolean().optional().describe("Notify nobody of the message. Default false."),
  embeds: z.array(embed).min(1).max(10).optional().describe("Rich boxes below the text, at most 10."),
  poll: poll.optional().describe("A poll below the text."),
  spoiler: z.boolean().optional().describe("Hide the files until they are clicked. Default false."),
  reply_to: snowflake.optional().describe("Id of the message in the channel to reply to. Bots only."),
  crosspost: z
    .boolean()
    .optional()
    .describe("Send the message on to the channels that follow this announcement channel. Bots only. Default false."),
  username: z
    .string()
    .min(1)
    .max(80)
    .refine((name) => !/discord|clyde/i.test(name), "Discord does not allow “discord” and “clyde” in it.")
    .optional()
    .describe("The author's name shown on the message. Webhooks only."),
  avatar_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .describe("The author's picture shown on the message. Webhooks only."),
  thread_name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Title of the post in a forum or media channel. Default with a bot: the title, else the text's first line. Webhooks in such channels need it.",
    ),
  applied_tags: z
    .array(snowflake)
    .min(1)
    .max(5)
    .optional()
    .describe("Ids of the tags of a post in a forum or media channel, at most 5."),
});

export type DiscordOptions = z.infer<typeof options>;
