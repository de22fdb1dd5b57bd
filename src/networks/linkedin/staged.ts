import { PublishingError } from "../../wire/errors.ts";
import type { Staged } from "../contract/commit.ts";

/** The names under which `stage` keeps what it made. */
export const names = {
  /** The name at LinkedIn of the file of this place, once it can be posted. */
  media: (index: number) => `media_${index}`,
  /** Of the document. */
  document: "document",
  /** Of the picture of the link card; null: it goes out without one. */
  thumb: "thumb",
};

/** Null: not staged yet, or nothing. */
export function stagedUrn(staged: Staged, name: string): string | null {
  const urn = staged[name];
  return typeof urn === "string" ? urn : null;
}

/** @throws PublishingError when `stage` has not made it */
export function neededUrn(staged: Staged, name: string): string {
  const urn = stagedUrn(staged, name);
  if (urn === null) throw new PublishingError("internal_error", `${name} was not staged.`);
  return urn;
}
