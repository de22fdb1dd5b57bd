import type { OptionChoices } from "../contract/choices.ts";
import { readCreator } from "./creator.ts";

/** The names in TikTok's own app. https://developers.tiktok.com/doc/content-sharing-guidelines (2026-11) */
const names: Readonly<Record<string, string>> = {
  PUBLIC_TO_EVERYONE: "Everyone",
  MUTUAL_FOLLOW_FRIENDS: "Friends",
  FOLLOWER_OF_CREATOR: "Followers",
  SELF_ONLY: "Only you",
};

export const choices = {
  async privacy_level(context) {
    const { privacy_level_options } = await readCreator(context);
    return privacy_level_options.map((value) => ({ value, name: names[value] ?? value }));
  },
} satisfies OptionChoices;
