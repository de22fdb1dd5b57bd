import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const countSchema = z.object({ used: z.number(), total: z.number() });

const knownSchema = z.object({
  /** The scopes that the login was granted, as far as they are known. */
  scopes: z.array(z.string()),
  /** True: posts may be restricted to countries. Null: unknown. */
  may_choose_countries: z.boolean().nullable(),
  /** How much the account may publish within 24 hours, and when that was read. Null: unknown. */
  quota: z.object({ posts: countSchema, replies: countSchema, read_at: z.string() }).nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
