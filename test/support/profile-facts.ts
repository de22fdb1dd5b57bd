import type { ProfileFacts } from "../../src/networks/contract/profile.ts";

/** A profile of which nothing particular is known. */
export const somebody: ProfileFacts = {
  id: "prof_1",
  external_id: "1",
  handle: null,
  url: null,
  limits: {},
  host: null,
  account_facts: {},
  scopes: [],
};
