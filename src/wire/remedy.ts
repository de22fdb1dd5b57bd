const start = "[For the developer: ";

/** A remedy may contain one level of brackets. A truncated one has no end. */
const marked = / ?\[For the developer: ((?:[^[\]]|\[[^[\]]*(?:\]|$))*)(?:\]|$)/g;

/**
 * Adds the remedy for the developer of the host's backend to a message. Calls in the process show both. API clients
 * and webhooks get only the message (`withoutRemedy`): they cannot install a package or set an option.
 *
 * @param message complete without the remedy
 * @param remedy whole sentences
 */
export function withRemedy(message: string, remedy: string): string {
  return `${foreignText(message)} ${start}${foreignText(remedy)}]`;
}

/**
 * Escapes the mark of a remedy in a network's or user's text: remedies are removed and logged, so a text must not
 * forge one.
 */
export function foreignText(text: string): string {
  return text.replaceAll(start, `(${start.slice(1)}`);
}

/** The message for API clients. @param onRemedy is called with each remedy in it */
export function withoutRemedy(message: string, onRemedy: (remedy: string) => void = () => undefined): string {
  if (!message.includes(start)) return message;
  return message.replaceAll(marked, (_, remedy: string) => {
    onRemedy(remedy);
    return "";
  });
}

/** JSON for API clients, without the remedies in its messages. */
export function jsonForClients(value: unknown, onRemedy?: (remedy: string) => void): string {
  const json = JSON.stringify(value);
  if (!json.includes(start)) return json;
  // Only in fields with messages: users' texts stay unchanged.
  return JSON.stringify(value, (key, each: unknown) => {
    if ((key === "message" || key === "error") && typeof each === "string") return withoutRemedy(each, onRemedy);
    if (key !== "reasons" || !Array.isArray(each)) return each;
    return each.map((reason: unknown) => withoutRemedy(String(reason), onRemedy)).filter((reason) => reason !== "");
  });
}
