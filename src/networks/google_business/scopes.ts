import type { ScopesByPurpose } from "../shared/scopes.ts";

/**
 * The one scope for posts, photos and reviews. https://developers.google.com/my-business/content/implement-oauth
 * (2026-09)
 */
export const manage = "https://www.googleapis.com/auth/business.manage";

export const scopes: ScopesByPurpose = { publish: [manage], inbox: [manage] };
