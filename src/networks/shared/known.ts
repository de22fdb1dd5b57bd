import type * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";

/** Returns a function that parses a profile's `account_facts` with the network's schema. */
export function knownReader<Schema extends z.ZodType>(
  schema: Schema,
): (profile: Pick<ProfileFacts, "account_facts">) => z.infer<Schema> {
  return ({ account_facts: known }) => schema.parse(known);
}
