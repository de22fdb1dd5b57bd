import type { Part } from "../networks/contract/plan.ts";
import type { Cost, NetworkSpec } from "../networks/contract/spec.ts";
import { findUrls } from "../text/urls.ts";

/** The network's charge to the app's owner for all parts, US dollars. Null: no charge is known. */
export function costOf(parts: readonly Part[], spec: NetworkSpec): number | null {
  const { cost = [] } = spec;
  if (cost.length === 0) return null;
  const priceOf = (what: Cost["for"]): number | undefined => cost.find((each) => each.for === what)?.usd;
  const prices = parts.map((part) => {
    const plain = priceOf("post") ?? 0;
    return holdsAddress(part, spec) ? (priceOf("post_with_link") ?? plain) : plain;
  });
  return rounded(prices.reduce((sum, price) => sum + price, 0));
}

/** Finds URLs as the network does: with a scheme or as a bare domain. */
function holdsAddress({ text }: Part, spec: NetworkSpec): boolean {
  return findUrls(text, spec.text.unit === "weighted" ? "x" : "mastodon").length > 0;
}

/** Prices have a few decimals, but their binary sum has more. */
function rounded(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}
