import type { TextRule } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { loginHost } from "./oauth.ts";

const reference = "https://dev.twitch.tv/docs/api/reference (2026-02)";

/**
 * A chat line, UTF-16 units (unconfirmed: Twitch says characters).
 * https://dev.twitch.tv/docs/api/reference#send-chat-message (2026-02)
 */
const line: TextRule = { max: 500, unit: "utf16" };

/**
 * A whisper to a user who has written one before. Twitch silently truncates longer ones.
 * https://dev.twitch.tv/docs/api/reference#send-whisper (2026-02)
 */
export const whisper: TextRule = { max: 10_000, unit: "utf16" };

export const limits = {
  network: "twitch",
  name: "Twitch",
  text: line,
  threads: false,
  media: { max_items: 0, mixing: "any", types: [] },
  post_types: [],
  title: null,
  link_card: "none",
  inbox: { dm: "reply", comment: "reply", mention: "reply" },
  duplicates: ["located", "may_be_live"],
  api_version: "helix",
  // Helix has no versions. https://dev.twitch.tv/docs/api/reference (2026-02)
  versions: { helix: null },
  hosts: ["api.twitch.tv", loginHost],
  rules: [],
  sources: {
    "text.max": `${reference}, "Send Chat Message"`,
    "media.max_items": reference,
  },
} satisfies NetworkSpec & { network: "twitch" };
