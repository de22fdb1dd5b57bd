import type { Exchange } from "../../outbound/http.ts";
import type { Ids } from "../../ports/ids.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NetworkAdapter, ResponseHead, SignedPart } from "../contract/adapter.ts";
import type { CommitBody, CommitFile, CommitSlice } from "../contract/commit.ts";
import type { FileContent, NetworkRequest, RequestBody } from "../contract/request.ts";

/** What leaves of a request besides its body. */
type RequestHead = SignedPart & Pick<NetworkRequest, "credential">;

/** Whose credential a request gets. */
interface Signer {
  profileHost: string | null;
  secret: JsonObject;
  now(): number;
  ids: Ids;
}

/**
 * Puts the credential on, right before sending: what is stored of a request
 * holds none. Requests that bring their own, or want none, go as they are.
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

/** Lets the adapter hear an answer. The answer counts, whatever the adapter makes of it. */
export function onResponse({ connect }: NetworkAdapter, answer: ResponseHead): void {
  try {
    connect.onResponse?.(answer);
  } catch {
    // What it has missed, the server says again when it refuses the next request.
  }
}

/**
 * A credential goes only to hosts that the network's data or the profile's
 * vetted host names, never to an address out of a reply.
 */
export function assertHostAllowed(adapter: NetworkAdapter, profileHost: string | null, url: string): void {
  const { host } = new URL(url);
  if (isOwnHost(adapter, host) || host === profileHost) return;
  throw new PublishingError("internal_error", `Not sent: ${host} is not a host of ${adapter.spec.name}.`);
}

/** The network's own data names it. */
export function isOwnHost({ spec }: NetworkAdapter, host: string): boolean {
  return spec.hosts.some((own) => (own.startsWith(".") ? host.endsWith(own) : host === own));
}

/** A request on its way out: the network's own hosts are reached directly, every other address through the guard. */
export function toExchange(
  adapter: NetworkAdapter,
  { method, url, headers }: SignedPart,
  rest: Pick<Exchange, "body" | "secrets" | "hardEndMs" | "beforeSending">,
): Exchange {
  const trust = isOwnHost(adapter, new URL(url).host) ? "fixed" : "guarded";
  return { method, url, headers: { ...adapter.spec.headers, ...headers }, trust, ...rest };
}

/** A commit's body as any other request's, with each file's bytes in its place. */
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

/** Random enough not to occur in any file. */
export function boundaryFrom(ids: Ids): string {
  return `postrider-${Array.from(ids.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
