import * as z from "zod";
import type { NetworkAdapter } from "../contract/adapter.ts";
import type { ExplainedAccess } from "../contract/inbox-access.ts";

/** The uses of a connected account. */
export type Purpose = "publish" | "inbox";

/** The network's scopes for each purpose. */
export type ScopesByPurpose = Readonly<Record<Purpose, readonly string[]>>;

/** The setting `scopes` of an adapter. */
export const purposesSetting = z
  .array(z.enum(["publish", "inbox"]), { error: 'Must be a list, such as ["publish", "inbox"].' })
  .min(1, 'Must have at least one of: "publish", "inbox".');

/** All scopes of these purposes, without duplicates. */
export function scopesFor(table: ScopesByPurpose, purposes: readonly Purpose[]): string[] {
  return [...new Set(purposes.flatMap((purpose) => table[purpose]))];
}

const notRequested =
  'The service does not request the permissions of an inbox here: the adapter\'s setting "scopes" lacks "inbox".';

/** The adapter for these purposes. Without `inbox` it has no inbox, and its spec says so. */
export function withInbox<Adapter extends Pick<NetworkAdapter, "spec" | "inbox">>(
  adapter: Adapter,
  purposes: readonly Purpose[],
): Adapter {
  if (purposes.includes("inbox")) return adapter;
  const { inbox: _, ...others } = adapter;
  const none: ExplainedAccess = { may: "none", why: notRequested };
  return { ...others, spec: { ...adapter.spec, inbox: { dm: none, comment: none, mention: none } } } as Adapter;
}
