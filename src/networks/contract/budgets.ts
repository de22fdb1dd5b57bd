/**
 * A limit on what is sent to the network in a span of time. The service counts it in storage, over all processes,
 * because the network does not report what is left.
 */
export type Budget = {
  /** Unique in the network. `posts`: the posts of the host's app per day, which `posts.validate` shows. */
  name: string;
  /**
   * Who shares it: all profiles of the host's app, one profile, or all that the service sends, as if it came from one
   * IP address.
   */
  per: "app" | "profile" | "address";
  /** Units per window: posts, requests, or what the network counts. */
  limit: number;
} & BudgetWindow;

/**
 * How long a budget lasts. `seconds`: windows of this length, one after another since 1970 · `day_in`: days in this
 * time zone, from midnight to midnight: `America/Los_Angeles`. A day on which the clocks change has 23 or 25 hours.
 */
export type BudgetWindow = { seconds: number; day_in?: never } | { day_in: string; seconds?: never };

/** The budget that counts posts. */
export const postsBudget = "posts";

/** What each request takes from a budget. */
export interface BudgetCost {
  /** `Budget.name`. */
  budget: string;
  /** Units for each request, whatever its answer. */
  units: number;
}
