import type { ScopesByPurpose } from "../shared/scopes.ts";

/** Posts, photos and reviews have one scope. https://developers.google.com/my-business/content/implement-oauth (2026-09) */
export const manage = "https://www.googleapis.com/auth/business.manage";

export const scopes: ScopesByPurpose = { publish: [manage], inbox: [manage] };
