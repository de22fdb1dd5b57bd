import type { SandboxAnswer } from "../exchange.ts";

/** Thrown by a simulated call: answer this instead. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: SandboxAnswer;

  constructor(status: number, error: string) {
    super(error);
    this.answer = { status, json: { error } };
  }
}

export function notFound(): Refusal {
  return new Refusal(404, "Record not found");
}

/** Words of https://github.com/mastodon/mastodon/blob/main/config/locales/en.yml (2026-07) */
export function invalid(reason: string): Refusal {
  return new Refusal(422, `Validation failed: ${reason}`);
}
