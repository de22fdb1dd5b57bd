import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** What the login was allowed. */
  scopes: z.array(z.string()).catch([]),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
