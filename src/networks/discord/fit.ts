import { rulesOf } from "../shared/rules.ts";
import { holdsThreads, type Known, readKnown } from "./known.ts";
import { threadName } from "./message.ts";
import type { DiscordOptions } from "./options.ts";

type OptionName = keyof DiscordOptions;

const { rule, problemAt } = rulesOf<DiscordOptions>("discord");

/** Options that only one kind of profile can carry out, with what is said to the others. */
const reserved: readonly { names: readonly OptionName[]; fits(known: Known): boolean; message: string }[] = [
  {
    names: ["username", "avatar_url"],
    fits: ({ kind }) => kind === "webhook",
    message: "Only a webhook can show another author; this profile is a bot.",
  },
  {
    names: ["reply_to"],
    fits: (known) => known.kind === "bot" && !holdsThreads(known),
    message: "Only a bot in a text or announcement channel can reply.",
  },
  {
    names: ["crosspost"],
    fits: ({ channel_type }) => channel_type === "announcement",
    message: "Only a bot in an announcement channel can publish a message to following channels.",
  },
  {
    names: ["thread_name", "applied_tags"],
    fits: (known) => known.kind === "webhook" || holdsThreads(known),
    message: "Only posts in forum and media channels have a title and tags.",
  },
];

const optionsFit = rule("unsupported", ({ post, profile }) => {
  const given = post.options;
  const known = readKnown(profile);
  for (const { names, fits, message } of reserved) {
    const name = names.find((each) => given[each] !== undefined && given[each] !== false);
    if (name !== undefined && !fits(known)) return problemAt(name, message);
  }
  return null;
});

const threadIsNamed = rule("invalid_request", ({ post, profile }) => {
  const known = readKnown(profile);
  if (!holdsThreads(known) || threadName(post) !== null) return null;
  return { field: "title", message: `A post in a ${known.channel_type} channel needs a title or a text.` };
});

const threadIsTagged = rule("invalid_request", ({ post, profile }) => {
  const known = readKnown(profile);
  if (!holdsThreads(known) || !known.needs_tag) return null;
  if (post.options.applied_tags !== undefined) return null;
  return problemAt("applied_tags", "This channel requires a tag.");
});

/** What depends on where the profile posts. */
export const profileRules = [optionsFit, threadIsNamed, threadIsTagged];
