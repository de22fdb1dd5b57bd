import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { directory, readAnswer, xrpc } from "./api.ts";

/** https://atproto.com/specs/handle (2026-08) */
const handlePattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** atproto allows only a hostname. https://atproto.com/specs/did (2026-08) */
const webDidPattern = /^did:web:([a-z0-9.-]{1,253})$/;

/** The login server of accounts without their own server. It also resolves handles. */
export const defaultService = "https://bsky.social";

/** The one server of all accounts of this service. Null: each account has its own. */
export function operatorsOf(service: string): string | null {
  return service === defaultService ? null : service;
}

/** True: the operator's own server, which may be on this machine. */
export function isOperators(server: string, service: string): boolean {
  return new URL(server).origin === operatorsOf(service);
}

const resolved = z.object({ did: z.string().startsWith("did:") });

const didDocument = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string()).nullish().catch(null),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })).nullish(),
});

/** Resolves a handle to a DID at `server`. A DID is returned unchanged. */
export async function findDid(context: LoginContext, server: string, identifier: string): Promise<string> {
  if (identifier.startsWith("did:")) return identifier;
  if (!isHandle(identifier))
    throw new PublishingError(
      "invalid_request",
      "identifier: write the handle in full, such as alice.bsky.social, or the account's DID.",
    );
  const did = await resolveHandle(context, server, identifier);
  if (did === null) throw new PublishingError("invalid_request", `identifier: Bluesky has no account ${identifier}.`);
  return did;
}

/** True: a well-formed handle in lower case. */
export function isHandle(text: string): boolean {
  return text.length <= 253 && handlePattern.test(text);
}

/**
 * Resolves a handle to a DID. `server` looks it up in DNS and at the handle's domain. Null: no account has it.
 *
 * @param way timeout and retries of the request. @default like any read
 */
export async function resolveHandle(
  context: Pick<LoginContext, "request">,
  server: string,
  handle: string,
  way: Pick<NetworkRequest, "hardEndSeconds" | "repeat"> = {},
): Promise<string | null> {
  const url = xrpc(server, "com.atproto.identity.resolveHandle", { handle });
  const response = await context.request({ ...way, method: "GET", url, accept: [400, 404] });
  return response.status >= 400 ? null : readAnswer(resolved, response).did;
}

/** The content of an account's DID document. */
export interface Place {
  /** The URL of the server that holds the account's data: `https://pds.example.com`. */
  pds: string;
  /** The handle that the account claims, which may be wrong. Null: none. */
  handle: string | null;
}

/** The URL of the server that holds an account's data: `https://pds.example.com`. */
export async function findServer(context: Pick<LoginContext, "request">, did: string): Promise<string> {
  return (await readPlace(context, did)).pds;
}

export async function readPlace(context: Pick<LoginContext, "request">, did: string): Promise<Place> {
  const response = await context.request({ method: "GET", url: documentUrl(did), accept: [404, 410] });
  const document = response.status >= 400 ? null : readAnswer(didDocument, response);
  if (document?.id !== did) throw new PublishingError("profile_unavailable", `The account ${did} no longer exists.`);
  const entry = document.service?.find(({ id }) => id === "#atproto_pds" || id === `${did}#atproto_pds`);
  const endpoint = String(entry?.serviceEndpoint);
  if (!URL.canParse(endpoint) || !endpoint.startsWith("https://"))
    throw new PublishingError("profile_unavailable", `The account ${did} has no server of its own.`);
  const handle = document.alsoKnownAs?.find((name) => name.startsWith("at://"))?.slice("at://".length) ?? null;
  return { pds: new URL(endpoint).origin, handle };
}

/**
 * True: both are Bluesky's own servers, which accept each other's sessions. bsky.social creates the sessions of all of
 * them. https://docs.bsky.app/docs/advanced-guides/entryway (2026-08)
 */
export function shareSessions(one: string, another: string): boolean {
  return [one, another].every((server) => new URL(server).hostname.endsWith(".host.bsky.network"));
}

function documentUrl(did: string): string {
  if (/^did:plc:[a-z2-7]{24}$/.test(did)) return `${directory}/${did}`;
  const host = webDidPattern.exec(did)?.[1];
  if (host === undefined)
    throw new PublishingError("invalid_request", "identifier: this is not the DID of a Bluesky account.");
  return `https://${host}/.well-known/did.json`;
}
