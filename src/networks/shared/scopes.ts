import * as z from "zod";
import type { NetworkAdapter } from "../contract/adapter.ts";

/** What a connected account is for. */
export type Purpose = "publish" | "inbox";

/** What a network calls the rights for each purpose. */
export type ScopesByPurpose = Readonly<Record<Purpose, readonly string[]>>;

/** The setting `scopes` of an adapter. */
export const purposesSetting = z
  .array(z.enum(["publish", "inbox"]), { error: 'Must be a list, such as ["publish", "inbox"].' })
  .min(1, 'Must have at least one of: "publish", "inbox".');

/** All that these purposes need, each once. */
export function scopesFor(table: ScopesByPurpose, purposes: readonly Purpose[]): string[] {
  return [...new Set(purposes.flatMap((purpose) => table[purpose]))];
}

/** The adapter as it is asked for: without the inbox, nothing is read, and it says so. */
export function withInbox<Adapter extends Pick<NetworkAdapter, "spec" | "inbox">>(
  adapter: Adapter,
  purposes: readonly Purpose[],
): Adapter {
  if (purposes.includes("inbox")) return adapter;
  const { inbox: _, ...others } = adapter;
  return { ...others, spec: { ...adapter.spec, inbox: { dm: "none", comment: "none", mention: "none" } } } as Adapter;
}
