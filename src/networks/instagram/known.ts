import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /**
   * The login that the token is from. `instagram`: Instagram Login · `facebook`: Facebook Login, through the account's
   * Page.
   */
  flavour: z.enum(["instagram", "facebook"]),
  /** The scopes that the login was granted, as far as they are known. */
  scopes: z.array(z.string()),
  /** The account's posts per day at Instagram, and when that was read. Null: unknown. */
  quota: z.object({ total: z.number(), read_at: z.string() }).nullable(),
});

export type Known = z.infer<typeof knownSchema>;
export type Flavour = Known["flavour"];

export const readKnown = knownReader(knownSchema);
