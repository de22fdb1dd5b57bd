import { notSimulatedCode } from "../ports/simulated.ts";

/** Messages for the receiver's operators, by error code. */
const messages: Readonly<Record<string, string>> = {
  ENOTFOUND: "The receiver's hostname did not resolve.",
  [notSimulatedCode]:
    "The sandbox simulates no host with the receiver's name; use sandbox.receivers.url, or allowedHosts.",
  EAI_AGAIN: "The DNS look-up of the receiver's hostname failed.",
  ECONNREFUSED: "The receiver refuses connections.",
  EHOSTUNREACH: "The receiver cannot be reached.",
  ENETUNREACH: "The receiver cannot be reached.",
  CONNECT_TIMEOUT: "The connection to the receiver timed out after 5 s.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another hostname.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate has an unknown issuer.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The receiver's certificate has an unknown issuer; is the chain complete?",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate has an unknown issuer; is the chain complete?",
};

/** Why a request failed, without an IP address. */
export function failureMessage(error: unknown): string {
  const cause = causeOf(error);
  if (!hasCode(cause)) return "The connection to the receiver broke off.";
  const { code, message } = cause;
  // The guard's message names the class of the refused address.
  if (code === "ADDRESS_REFUSED") return `Not sent: ${message}.`;
  return messages[code] ?? `The connection to the receiver broke off (${code}).`;
}

/** `fetch failed` has its reason in `cause`; of several connection attempts, the first counts. */
function causeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof AggregateError ? cause.errors[0] : cause;
}

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
