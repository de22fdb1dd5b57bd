import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const countSchema = z.object({ used: z.number(), total: z.number() });

const knownSchema = z.object({
  /** What the login was granted, as far as it was told. */
  scopes: z.array(z.string()),
  /** May posts be for some countries only? Null: Threads does not say. */
  may_choose_countries: z.boolean().nullable(),
  /** How much the account may publish within 24 hours, and when Threads said so; null: it did not. */
  quota: z.object({ posts: countSchema, replies: countSchema, read_at: z.string() }).nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
