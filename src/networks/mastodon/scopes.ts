/** The scopes that were not granted. `write` includes `write:media`. https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07) */
export function missingScopes(wanted: readonly string[], granted: readonly string[]): string[] {
  return wanted.filter((scope) => !granted.includes(scope) && !granted.includes(scope.split(":")[0] ?? ""));
}
