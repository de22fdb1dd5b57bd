import * as z from "zod";
import { type Parameters, withParameters } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** Of the API "Helix", which has no versions. https://dev.twitch.tv/docs/api/reference (2026-02) */
const base = "https://api.twitch.tv/helix";

/** A number as text. https://dev.twitch.tv/docs/api/reference (2026-02) */
export const twitchId = z.string().regex(/^\d{1,20}$/, "A Twitch id: a string of up to 20 digits.");

/** The address of one API route: `https://api.twitch.tv/helix/{path}?…`. */
export function endpoint(path: string, parameters: Parameters = {}): string {
  return withParameters(`${base}/${path}`, parameters);
}

export const { readAnswer, getAnswer } = answersOf("Twitch");
