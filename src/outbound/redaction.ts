import { cleanLine } from "../wire/clean-text.ts";
import { unstorableText } from "../wire/json.ts";
import { codeOf } from "./guard/errors.ts";

/** Takes the secrets of one exchange out of a text. */
export type Redact = (text: string) => string;

/** Anything shorter would also be found in harmless text. */
const minSecretLength = 8;
/** A path segment as long as this is taken for a credential, such as a webhook's token. */
const minStepLength = 32;

const shown = "[secret]";

/** What an exchange knows that nobody else may learn: what its session says, its `authorization`, long steps of its path. */
export function createRedaction(exchange: {
  url: string;
  headers: Readonly<Record<string, string>>;
  secrets?: readonly string[];
}): Redact {
  const authorization = Object.entries(exchange.headers)
    .filter(([name]) => name.toLowerCase() === "authorization")
    .map(([, value]) => value.replace(/^\S+ +/, ""));
  const steps = new URL(exchange.url).pathname.split("/").filter((step) => step.length >= minStepLength);
  return redactionOf([...authorization, ...steps, ...(exchange.secrets ?? [])]);
}

export function redactionOf(secrets: readonly string[]): Redact {
  const long = secrets.filter((secret) => secret.length >= minSecretLength);
  const spellings = [...new Set(long.flatMap((secret) => [secret, inAddress(secret)]))];
  // The longest first: one may be the beginning of another.
  spellings.sort((one, other) => other.length - one.length);
  return (text) => spellings.reduce((left, spelling) => left.replaceAll(spelling, shown), text);
}

/** As it stands in an address. */
function inAddress(secret: string): string {
  return unstorableText.test(secret) ? secret : encodeURIComponent(secret);
}

/** Names under which a credential stands. */
const secretKey = /pass|token|secret|jwt|webhook/i;

/** The credentials in what a user or a vault hands over, or in what is sent: texts under a name that says so. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, isSecret || secretKey.test(key)));
}

/** Causes below this are left out, as in a circle of them. */
const deepestCause = 5;
const maxMessageLength = 1_000;
const maxStackLength = 4_000;

/**
 * A failure by name, message, code and causes, without secrets. Anything else
 * that a host's `fetch` puts on its errors, such as the whole request, is dropped.
 */
export function describeFailure(failure: unknown, redact: Redact, depth = 0): Error {
  const error = failure instanceof Error ? failure : new Error(typeof failure === "string" ? failure : "no error");
  const inner = (each: unknown): Error => describeFailure(each, redact, depth + 1);
  const message = cleanLine(redact(error.message), maxMessageLength);
  const isDeep = depth >= deepestCause;
  const options = error.cause === undefined || isDeep ? {} : { cause: inner(error.cause) };
  const described =
    error instanceof AggregateError && !isDeep
      ? new AggregateError(error.errors.slice(0, 10).map(inner), message, options)
      : new Error(message, options);
  const code = codeOf(error);
  return Object.assign(described, {
    name: error.name,
    stack: redact(error.stack ?? "").slice(0, maxStackLength),
    ...(code === null ? {} : { code: redact(code) }),
    ...("syscall" in error ? { syscall: String(error.syscall) } : {}),
  });
}
