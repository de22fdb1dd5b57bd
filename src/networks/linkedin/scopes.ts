import type { ScopesByPurpose } from "../shared/scopes.ts";

/**
 * The products of an app at LinkedIn. `self_serve`: "Share on LinkedIn" and "Sign In with LinkedIn using OpenID
 * Connect" · `community_management`: only the Community Management API.
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
 * A sign-in fails as a whole if it requests a scope that the app does not have, so each product has its own list.
 * https://learn.microsoft.com/en-us/linkedin/marketing/increasing-access (2026-08)
 */
export const scopes: Readonly<Record<Product, ScopesByPurpose>> = {
  // No scope lets a self-serve app read posts.
  self_serve: { publish: ["openid", "profile", asMember], inbox: ["openid", "profile", asMember] },
  community_management: { publish: community, inbox: [...community, "r_organization_social_feed"] },
};

/**
 * The scope that an account needs to publish.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08)
 */
export function publishScope(options: { isOrganization: boolean }): string {
  return options.isOrganization ? asOrganization : asMember;
}

/** @param granted null: unknown, so the list is requested */
export function mayBeRead(granted: readonly string[] | null): boolean {
  return granted === null || granted.includes(readsOrganization);
}

/**
 * Unknown scopes count as none, because LinkedIn rejects comments of other apps.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api (2026-08)
 */
export function mayComment(granted: readonly string[] | null, options: { isOrganization: boolean }): boolean {
  return granted?.includes(options.isOrganization ? commentsAsOrganization : commentsAsMember) === true;
}

/** The scope of `GET /v2/userinfo`. https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08) */
export const identityScope = "openid";
/** The scope of `GET /v2/me`, which returns the name in the member's URL. https://github.com/gitroomhq/postiz-app, linkedin.provider.ts (2026-08) */
export const profileScope = "r_basicprofile";
