import type { ProfileFacts } from "../contract/profile.ts";

/** Data about an account and its server from when it was connected. */
export interface KnownAccount {
  account_id: string;
  /** The server's own version string. Empty: unknown. */
  version: string;
  /** True: the server runs Mastodon's own code, or a fork that shares these parts. */
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

/**
 * True: the server lists every post of an account to its owner, as Mastodon does.
 * https://github.com/mastodon/mastodon/blob/main/app/models/account_statuses_filter.rb (2026-07)
 */
export function listsAll(profile: Pick<ProfileFacts, "account_facts">): boolean {
  return knownAccount(profile).is_mastodon;
}

/**
 * Software whose home timeline shows all posts of its owner: each visibility, threads, and replies to any user. Only
 * tested versions (2026-11). It reads the user's own index and skips only posts of others:
 * https://codeberg.org/grunfink/snac2, mastoapi.c, `mastoapi_timeline`
 */
const showsAllAtHomeAs = /\(not true; really snac\/2\.75\)$/;

export function showsAllAtHome(profile: Pick<ProfileFacts, "account_facts">): boolean {
  return showsAllAtHomeAs.test(knownAccount(profile).version);
}
