/** The key of a chat line, or of the conversation that it starts. */
export function lineKey(id: string): string {
  return `line:${id}`;
}

/** The key of a whisper, or of the conversation with a user. */
export function whisperKey(id: string): string {
  return `dm:${id}`;
}
