import type { Finding } from "../support/verdict.ts";

/** One run in which something is delivered, and what was found in it. */
export interface DeliveryRun {
  /** Which one: says how to repeat it. */
  name: string;
  /** Posts that were made. */
  posts: number;
  deliveries: number;
  again: number;
  kills: number;
  findings: Finding[];
  /** What was measured, in words. */
  note?: string;
}
