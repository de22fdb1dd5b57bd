import { Refusal } from "../parts/refusal.ts";

/** https://developers.google.com/youtube/v3/docs/core_errors (2026-09) */
export function refusal(
  status: number,
  reason: string,
  message: string,
  more: { domain?: string; status?: string; headers?: Record<string, string> } = {},
): Refusal {
  const { domain = "youtube.parameter", headers = {}, status: name } = more;
  const json = { error: { code: status, message, errors: [{ domain, reason, message }], status: name } };
  return new Refusal(message, { code: reason, status, headers, json });
}

export function unauthorized(): Refusal {
  const message = "Request had invalid authentication credentials.";
  return refusal(401, "authError", message, { domain: "global", status: "UNAUTHENTICATED" });
}

export function lacksScope(): Refusal {
  const message = "Request had insufficient authentication scopes.";
  return refusal(403, "insufficientPermissions", message, { domain: "global", status: "PERMISSION_DENIED" });
}
