import type { Target } from "../../src/publishing/schema.ts";
import type { PublishingCode } from "../../src/wire/errors.ts";
import type { SnacNote } from "./snac.ts";

/** The result of one case. */
export interface SnacVerdict {
  /**
   * - `twice`: a part exists more often than it should
   * - `lost`: it does not exist, though the post is reported as published, or nothing prevented it any more
   * - `wrong`: the target's report differs from the server
   * - `undecided`: the target says that the post may be live
   * - `refused`: the target names the obstacle, and the live parts
   * - `exact`: once, and reported so
   */
  what: "exact" | "refused" | "undecided" | "twice" | "lost" | "wrong";
  message: string;
}

export interface SnacEvidence {
  texts: readonly string[];
  /** The number of attachments of the first part. */
  attachments: number;
  target: Target;
  /** The lasting obstacle of the post; null: none. */
  obstacle: PublishingCode | null;
  /** The account's posts since then, without those posted by hand. */
  notes: readonly SnacNote[];
}

export function judge(evidence: SnacEvidence): SnacVerdict {
  const { texts, target, notes, obstacle } = evidence;
  const copies = (text: string): number => notes.filter(({ sourceContent }) => sourceContent === text).length;
  const wanted = (text: string): number => texts.filter((each) => each === text).length;
  const unexpected = notes.filter(({ sourceContent }) => wanted(sourceContent) === 0);
  if (unexpected.length > 0) return { what: "wrong", message: `nobody asked for: ${unexpected[0]?.sourceContent}` };
  const twice = texts.find((text) => copies(text) > wanted(text));
  const said = `${target.status}, ${target.error?.code ?? "no error"}: ${target.error?.message ?? ""}`;
  if (twice !== undefined) return { what: "twice", message: `${copies(twice)} times, ${said}` };
  if (target.status === "published") return judgePublished(evidence);
  if (target.error?.code === "timeout")
    return { what: "undecided", message: `${notes.length} of ${texts.length}, ${said}` };
  if (notes.length > target.post_ids.length) return { what: "wrong", message: `${notes.length} are there; ${said}` };
  return { what: target.error?.code === obstacle ? "refused" : "lost", message: said };
}

function judgePublished({ texts, attachments, target, notes }: SnacEvidence): SnacVerdict {
  const missing = texts.length - notes.length;
  if (missing > 0) return { what: "lost", message: `published, but ${missing} of ${texts.length} parts are not there` };
  const first = notes.find(({ id }) => id === target.url);
  if (first === undefined) return { what: "wrong", message: `published as ${target.url}, which is another post` };
  if (target.post_ids.length !== texts.length) return { what: "wrong", message: `post_ids: ${target.post_ids.join()}` };
  if (first.attachment.length !== attachments)
    return { what: "wrong", message: `${first.attachment.length} attachments` };
  let parent: SnacNote = first;
  for (const text of texts.slice(1)) {
    const next = notes.find((note) => note.inReplyTo === parent.id && note.sourceContent === text);
    if (next === undefined) return { what: "wrong", message: `nothing replies to ${parent.sourceContent}` };
    parent = next;
  }
  return { what: "exact", message: "" };
}
