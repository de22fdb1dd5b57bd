import type * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";

/** Reads what was learnt when a profile was connected, as its network's schema says. */
export function knownReader<Schema extends z.ZodType>(
  schema: Schema,
): (profile: Pick<ProfileFacts, "account_facts">) => z.infer<Schema> {
  return ({ account_facts: known }) => schema.parse(known);
}
