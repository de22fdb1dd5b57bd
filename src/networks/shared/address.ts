/** Query parameters by name. */
export type Parameters = Readonly<Record<string, string>>;

/** Adds these parameters to a URL, and replaces those that it already has. */
export function withParameters(address: string, parameters: Parameters): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Returns the URL of a route: `{base}/{steps joined by /}?…`, each step percent-encoded. */
export type Endpoint = (steps: readonly string[], parameters?: Parameters) => string;

/** @param base the common start of all routes: `https://api.x.com/2` */
export function endpointsBelow(base: string): Endpoint {
  return (steps, parameters = {}) => withParameters([base, ...steps.map(encodeURIComponent)].join("/"), parameters);
}
