import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";
import { knownReader } from "../shared/known.ts";
import { mayBeRead, mayComment } from "./scopes.ts";

const knownSchema = z.object({
  /** What the login was allowed; null: nobody told. */
  scopes: z.array(z.string()).nullable().catch(null),
});

export type Known = z.infer<typeof knownSchema>;

type Facts = Pick<ProfileFacts, "external_id" | "account_facts">;

export const readKnown = knownReader(knownSchema);

/** Its external id is the name under which it posts. */
export function isOrganization({ external_id }: Pick<ProfileFacts, "external_id">): boolean {
  return external_id.startsWith("urn:li:organization:");
}

/** Are its posts shown to the app? Those of members are to hardly any. */
export function showsItsPosts(profile: Facts): boolean {
  return isOrganization(profile) && mayBeRead(readKnown(profile).scopes);
}

/** Does LinkedIn take comments from this login? */
export function takesComments(profile: Facts): boolean {
  return mayComment(readKnown(profile).scopes, { isOrganization: isOrganization(profile) });
}
