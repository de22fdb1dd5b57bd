import { z } from "zod";

/** What a connected account is for. */
export type Purpose = "publish" | "inbox";

/** What a network calls the rights for each purpose. */
export type ScopesByPurpose = Readonly<Record<Purpose, readonly string[]>>;

/** The setting `scopes` of an adapter. */
export const purposesSetting = z
  .array(z.enum(["publish", "inbox"]), { error: 'Give a list, such as ["publish", "inbox"].' })
  .min(1, 'Give one at least: "publish", "inbox".');

/** All that these purposes need, each once. */
export function scopesFor(table: ScopesByPurpose, purposes: readonly Purpose[]): string[] {
  return [...new Set(purposes.flatMap((purpose) => table[purpose]))];
}
