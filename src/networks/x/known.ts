import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** As X calls the account's plan: `Premium`; null: it did not tell. */
  subscription_type: z.string().nullable().catch(null),
  /** What the login was allowed; null: X did not tell. */
  scopes: z.array(z.string()).nullable().catch(null),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
