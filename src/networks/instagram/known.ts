import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** `instagram`: a token of Instagram Login · `facebook`: of Facebook Login, through the account's Page. */
  flavour: z.enum(["instagram", "facebook"]),
  /** What the login was granted, as far as it was told. */
  scopes: z.array(z.string()),
  /** How many posts a day Instagram takes of this account, and when it said so; null: it did not. */
  quota: z.object({ total: z.number(), read_at: z.string() }).nullable(),
});

export type Known = z.infer<typeof knownSchema>;
export type Flavour = Known["flavour"];

export const readKnown = knownReader(knownSchema);
