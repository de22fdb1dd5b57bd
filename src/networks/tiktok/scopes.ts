import type { ScopesByPurpose } from "../shared/scopes.ts";

/** https://developers.tiktok.com/doc/tiktok-api-scopes (2026-11) */
export const scope = {
  basic: "user.info.basic",
  profile: "user.info.profile",
  publish: "video.publish",
  upload: "video.upload",
  list: "video.list",
} as const;

/** What every login is asked for. There is no inbox to ask for. */
export const scopes: ScopesByPurpose = { publish: [scope.basic, scope.publish], inbox: [scope.basic] };

/** What a login may be asked for beside that: TikTok grants an app each of them by itself. */
export const furtherScopes = [scope.profile, scope.upload, scope.list] as const;

export type FurtherScope = (typeof furtherScopes)[number];
