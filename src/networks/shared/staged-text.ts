import { PublishingError } from "../../wire/errors.ts";
import type { Staged } from "../contract/commit.ts";

/** The text that `stage` kept under a name. Null: none. */
export function stagedText(staged: Staged, name: string): string | null {
  const kept = staged[name];
  return typeof kept === "string" ? kept : null;
}

/** The same, but throws if there is none. */
export function neededText(staged: Staged, name: string): string {
  const kept = stagedText(staged, name);
  if (kept !== null) return kept;
  throw new PublishingError("internal_error", `${name} was not staged.`);
}
