import type { Exchange } from "../../outbound/http.ts";
import type { Ids } from "../../ports/ids.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NetworkAdapter, ResponseHead, SignedPart } from "../contract/adapter.ts";
import type { CommitBody, CommitFile, CommitSlice } from "../contract/commit.ts";
import type { FileContent, NetworkRequest, RequestBody } from "../contract/request.ts";

/** The parts of a request without its body. */
type RequestHead = SignedPart & Pick<NetworkRequest, "credential">;

/** The owner of the credential for a request. */
interface Signer {
  profileHost: string | null;
  secret: JsonObject;
  now(): number;
  ids: Ids;
}

/**
 * Adds the credential right before sending, because a stored request holds none. Requests that have their own
 * credential, or need none, stay unchanged.
 *
 * @throws PublishingError `internal_error` when the credential would go to a host that is not the network's
 */
export async function signRequest(adapter: NetworkAdapter, request: RequestHead, signer: Signer): Promise<SignedPart> {
  if (request.credential === "none") return request;
  assertHostAllowed(adapter, signer.profileHost, request.url);
  if (Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === "authorization")) return request;
  const { secret, now, ids } = signer;
  const signed = await adapter.connect.sign(request, { secret, now, randomBytes: (length) => ids.bytes(length) });
  assertHostAllowed(adapter, signer.profileHost, signed.url);
  return signed;
}

/** Passes a response to the adapter. An error in the adapter's function is ignored. */
export function onResponse({ connect }: NetworkAdapter, answer: ResponseHead): void {
  try {
    connect.onResponse?.(answer);
  } catch {
    // If the adapter missed something, the server repeats it when it rejects the next request.
  }
}

/**
 * A credential goes only to hosts from the network's spec or to the profile's checked host, never to a URL from a
 * response.
 */
export function assertHostAllowed(adapter: NetworkAdapter, profileHost: string | null, url: string): void {
  const { host } = new URL(url);
  if (isOwnHost(adapter, host) || host === profileHost) return;
  throw new PublishingError("internal_error", `Not sent: ${host} is not a host of ${adapter.spec.name}.`);
}

/** True: the host is in the network's spec. */
export function isOwnHost({ spec }: NetworkAdapter, host: string): boolean {
  return spec.hosts.some((own) => (own.startsWith(".") ? host.endsWith(own) : host === own));
}

/** A request ready to send. The network's own hosts are reached directly, all others through the guard. */
export function toExchange(
  adapter: NetworkAdapter,
  { method, url, headers }: SignedPart,
  rest: Pick<Exchange, "body" | "secrets" | "hardEndMs" | "beforeSending">,
): Exchange {
  const trust = isOwnHost(adapter, new URL(url).host) ? "fixed" : "guarded";
  return { method, url, headers: { ...adapter.spec.headers, ...headers }, trust, ...rest };
}

/** Converts a commit's body to the body of a request, with the bytes of each file. */
export function toRequestBody(
  body: CommitBody,
  contentOf: (file: CommitFile | CommitSlice) => FileContent,
): RequestBody {
  if ("slice" in body) return { file: contentOf(body.slice) };
  if (!("multipart" in body)) return body;
  const multipart = body.multipart.map((field) => {
    if ("media" in field) return { name: field.name, filename: field.filename, file: contentOf(field) };
    if ("value" in field) return field;
    return { name: field.name, value: JSON.stringify(field.json), contentType: "application/json" };
  });
  return { multipart };
}

/** Random, so that it occurs in no file. */
export function boundaryFrom(ids: Ids): string {
  return `postrider-${Array.from(ids.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
