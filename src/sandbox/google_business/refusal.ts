import { Refusal } from "../parts/refusal.ts";

/** https://cloud.google.com/apis/design/errors (2026-09) */
export function refusal(
  code: number,
  status: string,
  message: string,
  more: { details?: readonly object[]; headers?: Record<string, string> } = {},
): Refusal {
  const { details, headers = {} } = more;
  return new Refusal(message, {
    code: status,
    status: code,
    headers,
    json: { error: { code, message, status, details } },
  });
}

/** v4 reports problems in the error's details. https://github.com/PipedreamHQ/pipedream/issues/7784 (2026-09) */
export function wrongPost(message: string, field?: string): Refusal {
  const errorDetails = [{ code: 1000, field, message }];
  const details = [{ "@type": "type.googleapis.com/google.mybusiness.v4.ValidationError", errorDetails }];
  return refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.", { details });
}
