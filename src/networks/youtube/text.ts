import type { Part } from "../contract/plan.ts";
import type { YoutubeOptions } from "./options.ts";

/** Title and description as one text. A comment has no title, and a playlist entry has no text. */
export function textForms({ title, text }: Part<YoutubeOptions>): string[] {
  return [shownAs(title ?? "", text)];
}

/** YouTube trims texts, and removes carriage returns (unconfirmed). */
export function shownAs(title: string, text: string): string {
  return [title, text]
    .map((each) => each.replaceAll("\r\n", "\n").trim())
    .filter((each) => each !== "")
    .join("\n");
}
