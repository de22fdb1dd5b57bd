import type { Part } from "../contract/plan.ts";
import type { TiktokOptions } from "./options.ts";
import { kindOf } from "./post-info.ts";

/** A video has one text. For photos, TikTok's list may show the title, the text or both (unconfirmed). */
export function textForms(part: Part<TiktokOptions>): string[] {
  const { text } = part;
  const title = kindOf(part) === "photo" ? (part.title ?? "") : "";
  const forms = title === "" ? [text] : [shownAs(title, text), text, title];
  return [...new Set(forms.map((form) => shownAs("", form)))].filter((form) => form !== "" || forms.length === 1);
}

export function shownAs(title: string, text: string): string {
  return [title, text]
    .map((each) => each.replaceAll("\r\n", "\n").trim())
    .filter((each) => each !== "")
    .join("\n");
}
