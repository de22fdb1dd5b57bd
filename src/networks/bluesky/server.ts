import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { directory, readAnswer, xrpc } from "./api.ts";

/** https://atproto.com/specs/handle (2026-08) */
const handlePattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** atproto allows a host name only. https://atproto.com/specs/did (2026-08) */
const webDidPattern = /^did:web:([a-z0-9.-]{1,253})$/;

/** Where accounts without a server of their own log in, and where handles are looked up. */
export const defaultService = "https://bsky.social";

/** The one server that all accounts of this service live on; null where each has its own. */
export function operatorsOf(service: string): string | null {
  return service === defaultService ? null : service;
}

/** A server of the operator's own may be on this machine. */
export function isOperators(server: string, service: string): boolean {
  return new URL(server).origin === operatorsOf(service);
}

const resolved = z.object({ did: z.string().startsWith("did:") });

const didDocument = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string()).nullish().catch(null),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })).nullish(),
});

/** The DID behind a handle, asked at `server`; an identifier that is a DID already is returned as it is. */
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

/** Is it written as one, in small letters? */
export function isHandle(text: string): boolean {
  return text.length <= 253 && handlePattern.test(text);
}

/**
 * The DID behind a handle, which `server` looks up in DNS and at the handle's own domain; null when nobody has it.
 *
 * @param way how it is asked. @default like any read
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

/** What an account's DID document says. */
export interface Place {
  /** The address of the server that holds the account's data: `https://pds.example.com`. */
  pds: string;
  /** What the account says that it is called, which the handle itself may deny; null: it does not say. */
  handle: string | null;
}

/** The address of the server that holds an account's data: `https://pds.example.com`. */
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

/** Bluesky's own servers take each other's sessions, which bsky.social makes for all of them. https://docs.bsky.app/docs/advanced-guides/entryway (2026-08) */
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
