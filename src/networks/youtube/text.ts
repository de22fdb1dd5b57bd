import type { Part } from "../contract/plan.ts";
import type { YoutubeOptions } from "./options.ts";

/** Title and description as one text; a comment has no title, and a place in a playlist no words. */
export function textForms({ title, text }: Part<YoutubeOptions>): string[] {
  return [shownAs(title ?? "", text)];
}

/** YouTube cuts blanks off the ends, and keeps no carriage returns (unconfirmed). */
export function shownAs(title: string, text: string): string {
  return [title, text]
    .map((each) => each.replaceAll("\r\n", "\n").trim())
    .filter((each) => each !== "")
    .join("\n");
}
