import { cleanLine } from "./clean-text.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** Removes known secrets from a text. */
export type Redact = (text: string) => string;

/** Maximum depth of nested causes, which may be circular. */
const deepestCause = 5;
const maxErrors = 10;
const maxMessageLength = 1_000;
const maxStackLength = 4_000;

/**
 * Describes an error of other code by its name, message, code and causes, without secrets. Any other field that a
 * custom `fetch` or database client attaches, such as the whole request, is dropped.
 *
 * @param redact removes known secrets. @default removes nothing
 */
export function describeFailure(failure: unknown, redact: Redact = (text) => text, depth = 0): Error {
  const error = failure instanceof Error ? failure : new Error(typeof failure === "string" ? failure : "no error");
  const inner = (each: unknown): Error => describeFailure(each, redact, depth + 1);
  const shown = (text: unknown): string => (typeof text === "string" ? withoutSecrets(redact(text)) : "");
  const message = cleanLine(shown(error.message), maxMessageLength);
  const isDeep = depth >= deepestCause;
  const options = error.cause === undefined || isDeep ? {} : { cause: inner(error.cause) };
  const described =
    error instanceof AggregateError && !isDeep
      ? new AggregateError(error.errors.slice(0, maxErrors).map(inner), message, options)
      : new Error(message, options);
  const { name, code, syscall } = error as { name: unknown; code?: unknown; syscall?: unknown };
  return Object.assign(described, {
    name: isWord(name, redact) ? name : "Error",
    stack: shown(error.stack).slice(0, maxStackLength),
    ...(isWord(code, redact) && { code }),
    ...(isWord(syscall, redact) && { syscall }),
  });
}

/** True: a name as in code, and not a secret. */
function isWord(value: unknown, redact: Redact): value is string {
  return typeof value === "string" && /^\w{2,64}$/.test(value) && redact(value) === value;
}
