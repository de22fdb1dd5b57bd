import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The account that gives access to the location: `accounts/1`. The names of posts contain both. */
  parent: z.string(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);

/** `accounts/1/locations/2`. Without the account Google responds with an HTML page. */
export function locationName(profile: Pick<ProfileFacts, "account_facts" | "external_id">): string {
  return `${readKnown(profile).parent}/${profile.external_id}`;
}
