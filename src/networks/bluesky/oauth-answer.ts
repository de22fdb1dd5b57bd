import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";
import type { OAuthLibrary } from "./oauth-library.ts";

/** An OAuth error from an authorization server. */
export class OAuthRefusal extends Error {
  override readonly name = "OAuthRefusal";
  /** Such as `invalid_grant`. https://www.rfc-editor.org/rfc/rfc6749#section-5.2 (2026-11) */
  readonly code: string;

  /** @param description the server's message for humans */
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/** Converts a response for the library. Without challenge headers, because the body repeats their content. */
export function toLibraryResponse({ status, body }: NetworkResponse): Response {
  return withoutBody.has(status) ? new Response(null, { status }) : Response.json(body, { status });
}

/** https://fetch.spec.whatwg.org/#null-body-status (2026-11) */
const withoutBody: ReadonlySet<number> = new Set([204, 205]);

/**
 * Parses a response with the OAuth library.
 *
 * @param server the server that sent it
 * @throws OAuthRefusal for an error response, PublishingError `network_error` for one that violates the standard
 */
export async function readStrictly<Value>(
  library: OAuthLibrary,
  server: string,
  response: NetworkResponse,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  return withOurErrors(library, server, () => read(toLibraryResponse(response)));
}

/** The library's errors hold whole responses. Keeps only the message of an error response. */
export async function withOurErrors<Value>(
  library: OAuthLibrary,
  server: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof library.ResponseBodyError) throw new OAuthRefusal(error.error, error.error_description ?? "");
    if (!isOfLibrary(library, error)) throw error;
    const { host } = new URL(server);
    throw new PublishingError("network_error", `${host} does not support Bluesky's sign-in (${error.message}).`);
  }
}

function isOfLibrary(library: OAuthLibrary, error: unknown): error is Error {
  const { OperationProcessingError, UnsupportedOperationError } = library;
  // For an invalid URL the library throws the TypeError of `URL`.
  return [OperationProcessingError, UnsupportedOperationError, TypeError].some((kind) => error instanceof kind);
}
