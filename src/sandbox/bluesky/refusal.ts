import type { SandboxAnswer } from "../exchange.ts";

/** Thrown by a simulated method: answer this instead. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: SandboxAnswer;
  /** The network's machine code. */
  readonly error: string;

  constructor(status: number, error: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.error = error;
    this.answer = { status, headers, json: { error, message } };
  }
}

export function invalidRequest(message: string): Refusal {
  return new Refusal(400, "InvalidRequest", message);
}
