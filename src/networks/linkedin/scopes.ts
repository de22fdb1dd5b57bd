import type { ScopesByPurpose } from "../shared/scopes.ts";

/**
 * What an app at LinkedIn may be: `self_serve` has "Share on LinkedIn" and "Sign In with LinkedIn using OpenID
 * Connect", `community_management` the Community Management API, and nothing besides.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management-app-review (2026-08)
 */
export type Product = "self_serve" | "community_management";

const asMember = "w_member_social";
const asOrganization = "w_organization_social";
const readsOrganization = "r_organization_social";
const commentsAsMember = "w_member_social_feed";
const commentsAsOrganization = "w_organization_social_feed";

const community = [
  ...["r_basicprofile", asMember, commentsAsMember],
  ...[asOrganization, commentsAsOrganization, readsOrganization, "rw_organization_admin"],
];

/**
 * A login that asks for one scope that the app does not have fails as a whole, so each kind of app has its own.
 * https://learn.microsoft.com/en-us/linkedin/marketing/increasing-access (2026-08)
 */
export const scopes: Readonly<Record<Product, ScopesByPurpose>> = {
  // There is no scope by which such an app could read anything.
  self_serve: { publish: ["openid", "profile", asMember], inbox: ["openid", "profile", asMember] },
  community_management: { publish: community, inbox: [...community, "r_organization_social_feed"] },
};

/** What an account needs to publish. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
export function publishScope(options: { isOrganization: boolean }): string {
  return options.isOrganization ? asOrganization : asMember;
}

/** @param granted null: nobody told, so it is tried */
export function mayBeRead(granted: readonly string[] | null): boolean {
  return granted === null || granted.includes(readsOrganization);
}

/**
 * Other apps are refused whatever they hold, so this must be known.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api (2026-08)
 */
export function mayComment(granted: readonly string[] | null, options: { isOrganization: boolean }): boolean {
  return granted?.includes(options.isOrganization ? commentsAsOrganization : commentsAsMember) === true;
}

/** Answers `GET /v2/userinfo`. https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08) */
export const identityScope = "openid";
/** Answers `GET /v2/me`, with the name in the member's address. https://github.com/gitroomhq/postiz-app, linkedin.provider.ts (2026-08) */
export const profileScope = "r_basicprofile";
