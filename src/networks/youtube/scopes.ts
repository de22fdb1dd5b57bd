import type { ScopesByPurpose } from "../shared/scopes.ts";

const base = "https://www.googleapis.com/auth/";
const all = `${base}youtube`;
const forceSsl = `${base}youtube.force-ssl`;
const upload = `${base}youtube.upload`;
const readonly = `${base}youtube.readonly`;

/** What is asked for. https://developers.google.com/youtube/v3/guides/auth/server-side-web-apps (2026-09) */
export const scopes: ScopesByPurpose = { publish: [upload, readonly, forceSsl], inbox: [readonly, forceSsl] };

/** The widest two allow what the others do. Same source. */
const wide = [all, forceSsl];

function has(granted: readonly string[], ...enough: readonly string[]): boolean {
  return enough.some((scope) => granted.includes(scope));
}

/** What a channel needs at least, and these do not allow; empty: they allow it. */
export function missingScopes(granted: readonly string[]): string[] {
  const needed = [
    { scope: upload, isThere: has(granted, upload, ...wide) },
    { scope: readonly, isThere: has(granted, readonly, ...wide) },
  ];
  return needed.filter(({ isThere }) => !isThere).map(({ scope }) => scope);
}

/** Comments know one scope alone. https://developers.google.com/youtube/v3/docs/commentThreads/insert (2026-09) */
export function mayComment(granted: readonly string[]): boolean {
  return has(granted, forceSsl);
}

/** May playlists be changed? https://developers.google.com/youtube/v3/docs/playlistItems/insert (2026-09) */
export function mayEdit(granted: readonly string[]): boolean {
  return has(granted, ...wide);
}
