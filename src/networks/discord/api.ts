import { type Parameters, withParameters } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** https://docs.discord.com/developers/reference (2026-08) */
export const apiVersion = "v10";
const base = `https://discord.com/api/${apiVersion}`;

/** The URL of an API route: `https://discord.com/api/v10/{steps joined by /}?…`. */
export function endpoint(steps: readonly string[], parameters: Parameters = {}): string {
  // "@me" is not encoded in paths.
  const path = steps.map((step) => (step === "@me" ? step : encodeURIComponent(step))).join("/");
  return withParameters(`${base}/${path}`, parameters);
}

/** The message's page for readers. */
export function permalink(guildId: string, channelId: string, messageId: string): string {
  return `https://discord.com/channels/${guildId}/${channelId}/${messageId}`;
}

export const { readAnswer, getAnswer } = answersOf("Discord");
