import { Refusal } from "../parts/refusal.ts";

/** An error of atproto's servers. */
export function refusal(
  status: number,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(message, { code: error, status, headers, json: { error, message } });
}

export function invalidRequest(message: string): Refusal {
  return refusal(400, "InvalidRequest", message);
}
