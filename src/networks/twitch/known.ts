import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";

const knownSchema = z.object({
  /** What the login was allowed. */
  scopes: z.array(z.string()).catch([]),
});

export type Known = z.infer<typeof knownSchema>;

/** What was learnt when the profile was connected. */
export function readKnown(profile: Pick<ProfileFacts, "known">): Known {
  return knownSchema.parse(profile.known);
}
