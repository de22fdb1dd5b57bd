import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** What the login was granted, as far as it was told. */
  scopes: z.array(z.string()),
  /** What the person may do on the Page; null: nobody told. */
  tasks: z.array(z.string()).nullable(),
});

export const readKnown = knownReader(knownSchema);
