import { ok, type SandboxAnswer } from "../exchange.ts";
import { Refusal } from "../parts/refusal.ts";

/** https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (2026-11) */
export function refusal(status: number, code: string, message: string): Refusal {
  return new Refusal(message, { code, status, json: envelope({}, { code, message }) });
}

/** A success has the code `ok` where an error has its reason. */
export function envelope(data: object, { code, message } = { code: "ok", message: "" }): object {
  return { data, error: { code, message, log_id: "20261121120000010245030153023A1B" } };
}

export function success(data: object): SandboxAnswer {
  return ok(envelope(data));
}

export function wrongParam(message: string): Refusal {
  return refusal(400, "invalid_params", message);
}

/**
 * The upload host reports errors by the status alone.
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)
 */
export function uploadRefusal(status: number, headers: Record<string, string> = {}): Refusal {
  return new Refusal(`upload ${status}`, { code: status, status, headers });
}
