import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";
import { knownReader } from "../shared/known.ts";
import { mayBeRead, mayComment } from "./scopes.ts";

const knownSchema = z.object({
  /** The granted scopes. Null: unknown. */
  scopes: z.array(z.string()).nullable().catch(null),
});

export type Known = z.infer<typeof knownSchema>;

type Facts = Pick<ProfileFacts, "external_id" | "account_facts">;

export const readKnown = knownReader(knownSchema);

/** The external id is the URN that the account posts as. */
export function isOrganization({ external_id }: Pick<ProfileFacts, "external_id">): boolean {
  return external_id.startsWith("urn:li:organization:");
}

/** True: the app can list the account's posts. Hardly any app can list a member's posts. */
export function showsItsPosts(profile: Facts): boolean {
  return isOrganization(profile) && mayBeRead(readKnown(profile).scopes);
}

/** True: LinkedIn accepts comments with these scopes. */
export function takesComments(profile: Facts): boolean {
  return mayComment(readKnown(profile).scopes, { isOrganization: isOrganization(profile) });
}
