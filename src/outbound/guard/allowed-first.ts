/**
 * The host's own `untrustedHttp`, such as a sandbox's, for all hosts except those in `allowedHosts`, which the guard
 * reaches.
 *
 * @param allow `host:port`, as `readAllowedHosts` returns them
 */
export function allowedFirst(own: typeof fetch, allow: readonly string[], guard: () => typeof fetch): typeof fetch {
  if (allow.length === 0) return own;
  const guarded = guard();
  return (input, init) => (allow.includes(placeOf(input)) ? guarded(input, init) : own(input, init));
}

function placeOf(input: Parameters<typeof fetch>[0]): string {
  const address = input instanceof Request ? input.url : String(input);
  if (!URL.canParse(address)) return "";
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
