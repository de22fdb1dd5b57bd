import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The scopes that the login was granted, as far as they are known. */
  scopes: z.array(z.string()),
  /** The user's tasks on the Page. Null: unknown. */
  tasks: z.array(z.string()).nullable(),
});

export const readKnown = knownReader(knownSchema);
