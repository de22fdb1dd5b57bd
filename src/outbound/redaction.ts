import type { Redact } from "../wire/describe-failure.ts";
import { unstorableText } from "../wire/json.ts";
import { concealed, minStepLength } from "../wire/without-secrets.ts";

/** A shorter secret would also be found in harmless text. */
const minSecretLength = 8;

/**
 * Removes the secrets of an exchange from texts: its `secrets`, its `authorization`, and from its URL the user, the
 * password, long path segments, and values with names of credentials.
 */
export function createRedaction(exchange: {
  url: string;
  headers: Readonly<Record<string, string>>;
  secrets?: readonly string[];
}): Redact {
  const authorization = Object.entries(exchange.headers)
    .filter(([name]) => name.toLowerCase() === "authorization")
    .map(([, value]) => value.replace(/^\S+ +/, ""));
  const { pathname, searchParams, username, password } = new URL(exchange.url);
  const steps = pathname.split("/").filter((step) => step.length >= minStepLength);
  const values = [...searchParams].flatMap(([name, value]) => (addressKey.test(name) ? [value] : []));
  return redactionOf([...authorization, ...steps, ...values, username, password, ...(exchange.secrets ?? [])]);
}

export function redactionOf(secrets: readonly string[]): Redact {
  const long = secrets.filter((secret) => secret.length >= minSecretLength);
  const spellings = [...new Set(long.flatMap((secret) => [secret, inAddress(secret)]))];
  // The longest first: one may be the beginning of another.
  spellings.sort((one, other) => other.length - one.length);
  return (text) => spellings.reduce((left, spelling) => left.replaceAll(spelling, concealed), text);
}

/** The URL-encoded form. */
function inAddress(secret: string): string {
  return unstorableText.test(secret) ? secret : encodeURIComponent(secret);
}

/** Names of credentials. */
const secretKey = /pass|token|secret|jwt|webhook/i;
/** Further names in URLs: signatures, and what browser sign-ins return. */
const addressKey = new RegExp(`${secretKey.source}|sig|credential|key|proof|verifier|^code$`, "i");

/** The credentials in a value from a user or a vault, or in a request: strings whose key matches `secretKey`. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, isSecret || secretKey.test(key)));
}
