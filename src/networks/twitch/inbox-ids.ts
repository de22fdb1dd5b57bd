/** Of a line of the chat, and of what is said below one that somebody else began. */
export function lineKey(id: string): string {
  return `line:${id}`;
}

/** Of a whisper, and of all that are exchanged with a person. */
export function whisperKey(id: string): string {
  return `dm:${id}`;
}
