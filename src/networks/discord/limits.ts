import { homepage, version } from "../../wire/version.ts";
import { type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import { rulesOf } from "../shared/rules.ts";
import { apiVersion } from "./api.ts";
import { profileRules } from "./fit.ts";
import type { DiscordOptions, Embed } from "./options.ts";

const reference = "https://docs.discord.com/developers/reference (2026-08)";
const messages = "https://docs.discord.com/developers/resources/message (2026-08)";
const channels = "https://docs.discord.com/developers/resources/channel (2026-08)";

/** What every server takes; boosted ones take more, which nothing tells in advance. */
const maxFileBytes = 10 * 1024 * 1024;
const maxRequestBytes = 25 * 1024 * 1024;
/** Room for the text, the alt texts and what divides the files. */
const envelopeBytes = 256 * 1024;
/** https://docs.discord.com/developers/resources/message, "Embed Limits" (2026-08) */
const maxEmbedCharacters = 6000;

const notShown = "attached as a download; Discord does not display it";

const mediaTypes: readonly MediaRule[] = [
  { type: "image", mime: "image/jpeg", max_bytes: maxFileBytes },
  { type: "image", mime: "image/png", max_bytes: maxFileBytes, moving: shownStill },
  { type: "image", mime: "image/webp", max_bytes: maxFileBytes },
  { type: "gif", mime: "image/gif", max_bytes: maxFileBytes },
  { type: "video", mime: "video/mp4", max_bytes: maxFileBytes, ...playable },
  { type: "video", mime: "video/webm", max_bytes: maxFileBytes, ...playable },
  { type: "video", mime: "video/quicktime", max_bytes: maxFileBytes, ...playable },
  { type: "image", mime: "image/avif", max_bytes: maxFileBytes, action: notShown },
  { type: "image", mime: "image/heic", max_bytes: maxFileBytes, action: notShown },
];

const { rule, problemAt } = rulesOf<DiscordOptions>("discord");

/** All embeds of a message share one limit. */
const embedsTogether = rule("invalid_request", ({ post }) => {
  const length = (post.options.embeds ?? []).reduce((sum, each) => sum + embedLength(each), 0);
  if (length <= maxEmbedCharacters) return null;
  const message = `The embeds have ${length} characters together; Discord accepts at most ${maxEmbedCharacters}.`;
  return problemAt("embeds", message);
});

const embedsNotSuppressed = rule("invalid_request", ({ post }) => {
  const { embeds, suppress_embeds } = post.options;
  if (embeds === undefined || suppress_embeds !== true) return null;
  const message = "suppress_embeds also hides the embeds; leave out one of the two.";
  return problemAt("suppress_embeds", message);
});

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes, code 50006 (2026-08) */
const emptyPost = rule("invalid_request", ({ post }) => {
  if (post.text.trim() !== "" || post.media.length > 0) return null;
  const { embeds, poll } = post.options;
  if (embeds !== undefined || poll !== undefined) return null;
  return { field: "text", message: "A Discord message needs a text, a file, an embed or a poll." };
});

export const limits: NetworkSpec<DiscordOptions> & { network: "discord" } = {
  network: "discord",
  name: "Discord",
  text: { max: 2000, unit: "utf16" },
  threads: false,
  media: {
    max_items: 10,
    mixing: "any",
    types: mediaTypes,
    max_alt: 1024,
    max_total_bytes: maxRequestBytes - envelopeBytes,
  },
  post_types: ["post"],
  // Shown in forum and media channels only.
  title: { max: 100, required: false },
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["keyed", "located", "may_be_live"],
  api_version: apiVersion,
  // No end of v10 is announced. https://docs.discord.com/developers/reference, "API Versioning" (2026-08)
  versions: { [apiVersion]: null },
  hosts: ["discord.com"],
  headers: { "user-agent": `DiscordBot (${homepage}, ${version}) postrider` },
  rules: [emptyPost, embedsTogether, embedsNotSuppressed, ...profileRules],
  sources: {
    "text.max": messages,
    headers: `${reference}, "User Agent"`,
    "media.max_items": "https://docs.discord.com/developers/topics/opcodes-and-status-codes (2026-08), code 30015",
    "media.types": `${reference}, "Uploading Files"; https://github.com/discord/discord-api-docs/issues/8572 (2026-09)`,
    "media.max_alt": `${messages}, "Attachment Object"`,
    "media.max_total_bytes": `${reference}, "Uploading Files": 25 MiB, less 256 KiB for the rest of the request`,
    "title.max": `${channels}, "Start Thread in Forum or Media Channel"`,
  },
};

/** What counts towards the limit that all embeds of a message share. */
function embedLength({ title = "", description = "", author, footer, fields = [] }: Embed): number {
  const texts = [title, description, author?.name ?? "", footer?.text ?? ""];
  for (const { name, value } of fields) texts.push(name, value);
  return texts.reduce((sum, text) => sum + text.length, 0);
}
