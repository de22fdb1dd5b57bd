import type { ScopesByPurpose } from "../shared/scopes.ts";

const base = "https://www.googleapis.com/auth/";
const all = `${base}youtube`;
const forceSsl = `${base}youtube.force-ssl`;
const upload = `${base}youtube.upload`;
const readonly = `${base}youtube.readonly`;

/**
 * The scopes that a login requests. https://developers.google.com/youtube/v3/guides/auth/server-side-web-apps (2026-09)
 */
export const scopes: ScopesByPurpose = { publish: [upload, readonly, forceSsl], inbox: [readonly, forceSsl] };

/** The two widest scopes, which include the others. Same source. */
const wide = [all, forceSsl];

function has(granted: readonly string[], ...enough: readonly string[]): boolean {
  return enough.some((scope) => granted.includes(scope));
}

/** The required scopes that these lack. */
export function missingScopes(granted: readonly string[]): string[] {
  const needed = [
    { scope: upload, isThere: has(granted, upload, ...wide) },
    { scope: readonly, isThere: has(granted, readonly, ...wide) },
  ];
  return needed.filter(({ isThere }) => !isThere).map(({ scope }) => scope);
}

/**
 * True: comments are allowed, by this one scope. https://developers.google.com/youtube/v3/docs/commentThreads/insert
 * (2026-09)
 */
export function mayComment(granted: readonly string[]): boolean {
  return has(granted, forceSsl);
}

/** True: playlists may be changed. https://developers.google.com/youtube/v3/docs/playlistItems/insert (2026-09) */
export function mayEdit(granted: readonly string[]): boolean {
  return has(granted, ...wide);
}
