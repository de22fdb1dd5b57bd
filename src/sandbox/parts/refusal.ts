import type { SandboxAnswer } from "../exchange.ts";

/** Thrown anywhere in a simulated call: answer this instead. Each network makes its own, in its own words. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: SandboxAnswer;
  /** The network's machine code. */
  readonly code: string | number;

  constructor(message: string, { code, ...answer }: SandboxAnswer & { code: string | number }) {
    super(message);
    this.answer = answer;
    this.code = code;
  }
}

/** What is answered when a call has thrown this. @throws what is no refusal */
export function answerTo(error: unknown): SandboxAnswer {
  if (error instanceof Refusal) return error.answer;
  throw error;
}
