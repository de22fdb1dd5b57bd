import { Refusal } from "../parts/refusal.ts";

/** https://github.com/pinterest/api-description, `Error` (2025-12); live bodies also carry a status. https://github.com/pinterest/pinterest-python-generated-api-client/issues/31 (2026-08) */
export function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Refusal {
  return new Refusal(message, { code, status, headers, json: { code, message, status: "failure" } });
}
