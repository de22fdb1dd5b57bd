import type { Part } from "../networks/contract/plan.ts";
import type { Cost, NetworkSpec } from "../networks/contract/spec.ts";
import { findUrls } from "../text/urls.ts";

/**
 * What the network charges the owner of the app for all parts together, US dollars; null: nothing is known that it
 * charges for.
 */
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

/** As the network itself finds addresses: with a scheme or as a bare domain. */
function holdsAddress({ text }: Part, spec: NetworkSpec): boolean {
  return findUrls(text, spec.text.unit === "weighted" ? "x" : "mastodon").length > 0;
}

/** Prices have at most a few decimals; their sum in binary has more. */
function rounded(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}
