/** Read at most, bytes; what comes after is not waited for. */
const maxBytes = 65_536;
/** Kept at most, characters. */
const maxCharacters = 2_000;

/** The beginning of an answer's body as text that every storage can keep. */
export async function readStart(response: Response, signal: AbortSignal): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < maxBytes; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      bytes += value.length;
    }
    return keptText(text + decoder.decode());
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Without NUL, and not cut in the middle of a character. */
function keptText(text: string): string {
  return text
    .slice(0, maxCharacters)
    .replaceAll("\0", "\ufffd")
    .replace(/[\ud800-\udbff]$/, "");
}
