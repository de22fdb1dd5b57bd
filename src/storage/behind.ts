import type { Condition } from "./storage.ts";

/** What a text column must be to stand behind a text: a store's text holds no NUL, so with the least character at its end it is the next. */
export function behind(text: string): Condition {
  return { gte: `${text}\u0001` };
}
