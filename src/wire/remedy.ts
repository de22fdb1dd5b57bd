const start = "[For the developer: ";

/** One level of brackets may be inside; what was cut off has no end. */
const marked = / ?\[For the developer: ((?:[^[\]]|\[[^[\]]*(?:\]|$))*)(?:\]|$)/g;

/**
 * A message, and what the developer of the host's backend does about it. Calls in the process show both. API clients and
 * webhooks get the message alone (`withoutRemedy`): they cannot install a package or set an option.
 *
 * @param message complete without the remedy
 * @param remedy whole sentences
 */
export function withRemedy(message: string, remedy: string): string {
  return `${foreignText(message)} ${start}${foreignText(remedy)}]`;
}

/** Text of a network or a user, in which no remedy may be forged: remedies are cut out and logged. */
export function foreignText(text: string): string {
  return text.replaceAll(start, `(${start.slice(1)}`);
}

/** The message for API clients. @param onRemedy is called with each remedy that was in it */
export function withoutRemedy(message: string, onRemedy: (remedy: string) => void = () => undefined): string {
  if (!message.includes(start)) return message;
  return message.replaceAll(marked, (_, remedy: string) => {
    onRemedy(remedy);
    return "";
  });
}

/** JSON for API clients: its messages are without remedies. */
export function jsonForClients(value: unknown, onRemedy?: (remedy: string) => void): string {
  const json = JSON.stringify(value);
  if (!json.includes(start)) return json;
  // Only where messages are: what users have written stays as it is.
  return JSON.stringify(value, (key, each: unknown) => {
    if ((key === "message" || key === "error") && typeof each === "string") return withoutRemedy(each, onRemedy);
    if (key !== "reasons" || !Array.isArray(each)) return each;
    return each.map((reason: unknown) => withoutRemedy(String(reason), onRemedy)).filter((reason) => reason !== "");
  });
}
