import type { SandboxAnswer } from "../exchange.ts";

/** Thrown anywhere in a simulated call to respond with this error. Each network creates its own, in its own format. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: SandboxAnswer;
  /** The network's error code. */
  readonly code: string | number;

  constructor(message: string, { code, ...answer }: SandboxAnswer & { code: string | number }) {
    super(message);
    this.answer = answer;
    this.code = code;
  }
}

/** The response for a thrown Refusal. @throws any other error */
export function answerTo(error: unknown): SandboxAnswer {
  if (error instanceof Refusal) return error.answer;
  throw error;
}
