import type { ScopesByPurpose } from "../shared/scopes.ts";

/** https://developers.tiktok.com/doc/tiktok-api-scopes (2026-11) */
export const scope = {
  basic: "user.info.basic",
  profile: "user.info.profile",
  publish: "video.publish",
  upload: "video.upload",
  list: "video.list",
} as const;

/** The scopes that every login requests. TikTok has no inbox API. */
export const scopes: ScopesByPurpose = { publish: [scope.basic, scope.publish], inbox: [scope.basic] };

/** Scopes that a login may request in addition. TikTok grants each of them to an app separately. */
export const furtherScopes = [scope.profile, scope.upload, scope.list] as const;

export type FurtherScope = (typeof furtherScopes)[number];
