/** What stands behind the question mark of an address, by name. */
export type Parameters = Readonly<Record<string, string>>;

/** The address with these parameters; one that it has already is replaced. */
export function withParameters(address: string, parameters: Parameters): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The address of a route: `{base}/{steps joined by /}?…`, each step percent-encoded. */
export type Endpoint = (steps: readonly string[], parameters?: Parameters) => string;

/** @param base where all routes begin: `https://api.x.com/2` */
export function endpointsBelow(base: string): Endpoint {
  return (steps, parameters = {}) => withParameters([base, ...steps.map(encodeURIComponent)].join("/"), parameters);
}
