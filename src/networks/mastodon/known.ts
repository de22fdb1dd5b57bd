import type { ProfileFacts } from "../contract/profile.ts";

/** What was learnt of an account and its server when it was connected. */
export interface KnownAccount {
  account_id: string;
  /** As the server calls itself, its version in it; "" where it was not learnt. */
  version: string;
  /** The server runs Mastodon's own code, or a fork that shares these parts. */
  is_mastodon: boolean;
}

export function knownAccount({ account_facts: known }: Pick<ProfileFacts, "account_facts">): KnownAccount {
  const { account_id, version, is_mastodon } = known;
  return {
    account_id: String(account_id),
    version: typeof version === "string" ? version : "",
    is_mastodon: is_mastodon === true,
  };
}

/** To its owner, Mastodon lists every post of an account. https://github.com/mastodon/mastodon/blob/main/app/models/account_statuses_filter.rb (2026-07) */
export function listsAll(profile: Pick<ProfileFacts, "account_facts">): boolean {
  return knownAccount(profile).is_mastodon;
}

/**
 * Software whose home timeline shows everything that its owner posts: each
 * visibility, threads, and answers to whomever. Only versions that were tried
 * (2026-11); it reads the user's own index and passes over others' posts alone:
 * https://codeberg.org/grunfink/snac2, mastoapi.c, `mastoapi_timeline`
 */
const showsAllAtHomeAs = /\(not true; really snac\/2\.75\)$/;

export function showsAllAtHome(profile: Pick<ProfileFacts, "account_facts">): boolean {
  return showsAllAtHomeAs.test(knownAccount(profile).version);
}
