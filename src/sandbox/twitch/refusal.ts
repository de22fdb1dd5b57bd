import { Refusal } from "../parts/refusal.ts";

const names: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
};

/** https://dev.twitch.tv/docs/api/guide/ (2026-09) */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Refusal {
  const json = { error: names[status] ?? "Error", status, message };
  return new Refusal(message, { code: status, status, headers, json });
}

export function notValid(): Refusal {
  return refusal(400, "The request is not valid");
}
