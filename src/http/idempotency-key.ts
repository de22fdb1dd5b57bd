import { SocialError } from "../wire/errors.ts";

/** The key from the header or the body; both are allowed if they are equal. */
export function idempotencyKey(
  body: { idempotency_key?: string | null | undefined },
  headers: Headers,
): { idempotency_key?: string } {
  const header = headers.get("idempotency-key");
  if (header === null) return {};
  if (body.idempotency_key != null && body.idempotency_key !== header) {
    const message = "The header Idempotency-Key and the body differ; give the key once.";
    throw new SocialError("invalid_request", message, {
      details: [{ field: "idempotency_key", code: "invalid_request", message }],
    });
  }
  return { idempotency_key: header };
}
