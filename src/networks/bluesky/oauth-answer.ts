import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";
import type { OAuthLibrary } from "./oauth-library.ts";

/** An authorization server said no, in the words of OAuth. */
export class OAuthRefusal extends Error {
  override readonly name = "OAuthRefusal";
  /** `invalid_grant`. https://www.rfc-editor.org/rfc/rfc6749#section-5.2 (2026-11) */
  readonly code: string;

  /** @param description what it says for humans */
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/** An answer as the library takes it. Challenges in a header are left out: what they say stands in the body, too. */
export function toLibraryResponse({ status, body }: NetworkResponse): Response {
  return withoutBody.has(status) ? new Response(null, { status }) : Response.json(body, { status });
}

/** https://fetch.spec.whatwg.org/#null-body-status (2026-11) */
const withoutBody: ReadonlySet<number> = new Set([204, 205]);

/**
 * Has the library read an answer.
 *
 * @param server whose answer it is
 * @throws OAuthRefusal when it is a refusal, PublishingError `network_error` when it is not as the standard asks
 */
export async function readStrictly<Value>(
  library: OAuthLibrary,
  server: string,
  response: NetworkResponse,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  return withOurErrors(library, server, () => read(toLibraryResponse(response)));
}

/** The library's errors hold whole answers: nothing of them is kept but a refusal's own words. */
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
    throw new PublishingError("network_error", `${host} does not support Bluesky's login (${error.message}).`);
  }
}

function isOfLibrary(library: OAuthLibrary, error: unknown): error is Error {
  const { OperationProcessingError, UnsupportedOperationError } = library;
  // Of an address that is none it throws what URL throws.
  return [OperationProcessingError, UnsupportedOperationError, TypeError].some((kind) => error instanceof kind);
}
