import { PublishingError } from "../../errors.ts";
import type { Part } from "../adapter.ts";
import { holdsThreads, type Known } from "./known.ts";
import { threadName } from "./message.ts";
import { type DiscordOptions, readOptions } from "./options.ts";

type OptionName = keyof DiscordOptions;

/** Options that only one kind of profile can carry out, with what the others are told. */
const reserved: readonly { names: readonly OptionName[]; fits(known: Known): boolean; message: string }[] = [
  {
    names: ["username", "avatar_url"],
    fits: ({ kind }) => kind === "webhook",
    message: "only a webhook can show another author; this profile is a bot.",
  },
  {
    names: ["reply_to"],
    fits: (known) => known.kind === "bot" && !holdsThreads(known),
    message: "only a bot in a text or announcement channel can reply.",
  },
  {
    names: ["crosspost"],
    fits: ({ channel_type }) => channel_type === "announcement",
    message: "only a bot in an announcement channel can send a message on.",
  },
  {
    names: ["thread_name", "applied_tags"],
    fits: (known) => known.kind === "webhook" || holdsThreads(known),
    message: "only posts in forum and media channels have a title and tags.",
  },
];

/**
 * Whether the part can go where the profile posts.
 *
 * @throws PublishingError `unsupported` or `invalid_request`, naming the field
 */
export function assertFits(part: Part, known: Known): void {
  const options = readOptions(part);
  for (const { names, fits, message } of reserved) {
    const given = names.find((name) => options[name] !== undefined && options[name] !== false);
    if (given !== undefined && !fits(known))
      throw new PublishingError("unsupported", `networks.discord.${given}: ${message}`);
  }
  if (!holdsThreads(known)) return;
  if (threadName(part) === null)
    throw new PublishingError(
      "invalid_request",
      `title: a post in a ${known.channel_type} channel needs a title or a text.`,
    );
  if (known.needs_tag && options.applied_tags === undefined)
    throw new PublishingError(
      "invalid_request",
      "networks.discord.applied_tags: this channel takes no post without a tag.",
    );
}
