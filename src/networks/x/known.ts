import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The account's plan, as X names it: `Premium`. Null: unknown. */
  subscription_type: z.string().nullable().catch(null),
  /** The granted scopes. Null: unknown. */
  scopes: z.array(z.string()).nullable().catch(null),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
