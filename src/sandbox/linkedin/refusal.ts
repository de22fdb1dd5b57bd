import { Refusal } from "../parts/refusal.ts";

/**
 * An error of LinkedIn's. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api
 * (2026-08)
 */
export function refusal(
  status: number,
  code: string | null,
  message: string,
  headers: Record<string, string> = {},
): Refusal {
  const json = { status, ...(code === null ? {} : { code }), message };
  return new Refusal(message, { code: code ?? status, status, json, headers });
}

/** A 422 names the problem one level deeper. Same source. */
export function unprocessable(code: string, message: string): Refusal {
  const errorDetails = { inputErrors: [{ code, description: message }] };
  return new Refusal(message, { code, status: 422, json: { status: 422, message, errorDetails } });
}

/** https://github.com/linkedin-developers/linkedin-api-python-client/issues/47 (2026-08): the version, with a day. */
export function forbidden(resource: string, version: string): Refusal {
  const message = `Not enough permissions to access: ${resource}.${version}01`;
  const json = { status: 403, serviceErrorCode: 100, code: "ACCESS_DENIED", message };
  return new Refusal(message, { code: "ACCESS_DENIED", status: 403, json });
}
