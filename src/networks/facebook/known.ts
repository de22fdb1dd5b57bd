import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";

const knownSchema = z.object({
  /** What the login was granted, as far as it was told. */
  scopes: z.array(z.string()),
  /** What the person may do on the Page; null: nobody told. */
  tasks: z.array(z.string()).nullable(),
});

export type Known = z.infer<typeof knownSchema>;

/** What was learnt when the profile was connected. */
export function readKnown(profile: Pick<ProfileFacts, "known">): Known {
  return knownSchema.parse(profile.known);
}
