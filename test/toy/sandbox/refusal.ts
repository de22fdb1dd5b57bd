import { Refusal } from "../parts/refusal.ts";

/** As Toy refuses. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(message, { code, status, headers, json: { code, message } });
}
