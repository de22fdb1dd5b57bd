import { Refusal } from "../parts/refusal.ts";

/**
 * Problem JSON. @param type the last segment of its URL; null: it has only the status.
 * https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08)
 */
export function refusal(status: number, type: string | null, detail: string): Refusal {
  const json = {
    title: titles[status] ?? "Error",
    detail,
    type: type === null ? "about:blank" : `https://api.x.com/2/problems/${type}`,
    status,
  };
  return new Refusal(detail, { code: type ?? status, status, json });
}

const titles: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  402: "CreditsDepleted",
  403: "Forbidden",
  404: "Not Found Error",
  429: "Too Many Requests",
};

/** A parameter or field that X rejects. @param field the name in X's API: `media.media_ids` */
export function invalid(field: string, message: string): Refusal {
  const detail = "One or more parameters to your request was invalid.";
  const json = {
    errors: [{ parameters: { [field]: [] }, message }],
    title: "Invalid Request",
    detail,
    type: "https://api.x.com/2/problems/invalid-request",
  };
  return new Refusal(message, { code: "invalid-request", status: 400, json });
}
