import type { HookAnswer, HookForm, HookRequest } from "../../contract/hooks.ts";
import { hmacOf, isSame } from "./hmac.ts";

/** In front of the signed bytes, and not in the header. */
const prefix = "hmacsha256=";

/**
 * `X-LI-Signature: …`, a hexadecimal HMAC over the prefix and the bytes as received, with the app's secret.
 * https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation (2026-09)
 */
export const linkedin: HookForm = {
  maxAgeSeconds: null,
  isSigned: (headers) => signatureIn(headers) !== null,
  handshake,
  isGenuine({ headers, bytes }, keys) {
    const given = signatureIn(headers);
    return given !== null && keys.some((key) => isSame(given, hmacOf(key, prefix, bytes).toString("hex")));
  },
};

function signatureIn(headers: Headers): string | null {
  const [given] = /^[0-9a-f]{64}$/i.exec(headers.get("x-li-signature") ?? "") ?? [];
  return given?.toLowerCase() ?? null;
}

/** Anyone can ask for the response: no event's signed bytes look like this. */
const challengeForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Responds to `GET ?challengeCode=…` with the code and its HMAC, for which LinkedIn waits three seconds at most.
 * https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation (2026-09)
 */
function handshake({ method, parameters }: HookRequest, [key]: readonly string[]): HookAnswer | null {
  const challengeCode = parameters.get("challengeCode") ?? "";
  if (method !== "GET" || key === undefined || !challengeForm.test(challengeCode)) return null;
  const challengeResponse = hmacOf(key, challengeCode).toString("hex");
  return { status: 200, type: "application/json", text: JSON.stringify({ challengeCode, challengeResponse }) };
}
