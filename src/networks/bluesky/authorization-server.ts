import type { CustomFetchOptions, AuthorizationServer as Metadata, TokenEndpointResponse } from "oauth4webapi";
import type { NetworkResponse } from "../contract/request.ts";
import type { Client } from "./app.ts";
import { type Asking, readServer } from "./discovery.ts";
import { OAuthRefusal, toLibraryResponse, withOurErrors } from "./oauth-answer.ts";
import type { OAuthLibrary } from "./oauth-library.ts";
import { type Prover, serverTime } from "./prover.ts";
import type { SigningKey } from "./signing-key.ts";

/** An authorization server for one client and for one key that tokens are bound to. Its functions throw OAuthRefusal. */
export interface AuthorizationServer {
  /** The server's endpoints. */
  metadata: Metadata;
  /**
   * Pushes the authorization request; returns the `request_uri` for the sign-in page.
   * https://www.rfc-editor.org/rfc/rfc9126 (2026-11)
   */
  push(parameters: Readonly<Record<string, string>>): Promise<string>;
  /** Exchanges the code of the redirect for tokens. Checks its `iss` and `state`. */
  trade(
    parameters: Readonly<Record<string, string>>,
    given: { state: string; verifier: string },
  ): Promise<TokenEndpointResponse>;
  /** Exchanges a refresh token for new tokens. */
  refresh(token: string): Promise<TokenEndpointResponse>;
  /** Revokes a token. Does nothing if the server has no revocation endpoint. */
  revoke(token: string): Promise<void>;
}

/** The parameters to access an authorization server. */
export interface ServerAccess {
  library: OAuthLibrary;
  issuer: string;
  client: Pick<Client, "id" | "redirectUri" | "key">;
  /** The key that tokens are bound to. */
  key: SigningKey;
  prover: Prover;
  /** True: http is allowed too, because the server is the operator's own. */
  allowsHttp: boolean;
}

/** Statuses of OAuth errors. */
const refusals = [400, 401, 403, 404];

/** Errors that only ask to repeat the request with the nonce and the time of the error response. Nothing was done. */
const renewable: ReadonlySet<string> = new Set(["use_dpop_nonce", "invalid_dpop_proof", "invalid_client"]);

export async function openServer(context: Asking, access: ServerAccess): Promise<AuthorizationServer> {
  const { library, issuer, client, key, prover } = access;
  const metadata = await readServer(library, context, issuer);
  /** How far the server's clock is ahead of ours, from its responses. */
  let aheadMs = 0;
  const now = (): number => context.now() + aheadMs;
  const options = {
    [library.allowInsecureRequests]: access.allowsHttp,
    [library.customFetch]: send,
  };
  const ourClient = { client_id: client.id };

  function authenticate(_as: unknown, _client: unknown, body: URLSearchParams): void {
    body.set("client_id", client.id);
    if (client.key === null) return;
    // https://www.rfc-editor.org/rfc/rfc7523#section-2.2 (2026-11)
    body.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const assertion = { clientId: client.id, audience: metadata.issuer, key: client.key, at: now() };
    body.set("client_assertion", prover.assertion(assertion));
  }

  /** Sends once, because codes and refresh tokens can be used only once. */
  async function send(url: string, { body }: CustomFetchOptions<"POST", URLSearchParams>): Promise<Response> {
    const response: NetworkResponse = await context.request({
      method: "POST",
      url,
      headers: { dpop: prover.proof({ method: "POST", url }, { key, at: now() }) },
      body: { form: Object.fromEntries(body) },
      accept: refusals,
      credential: "none",
      repeat: false,
    });
    prover.noteNonce({ url, headers: response.headers });
    const date = serverTime(response.headers);
    if (date !== null) aheadMs = date - context.now();
    return toLibraryResponse(response);
  }

  /** Repeats the request once if the server asks only for that. */
  async function ask<Value>(work: () => Promise<Value>): Promise<Value> {
    const once = (): Promise<Value> => withOurErrors(library, issuer, work);
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof OAuthRefusal) || !renewable.has(error.code)) throw error;
      return once();
    }
  }

  return {
    metadata,
    push: (parameters) =>
      ask(async () => {
        const form = { ...parameters };
        const answer = await library.pushedAuthorizationRequest(metadata, ourClient, authenticate, form, options);
        return (await library.processPushedAuthorizationResponse(metadata, ourClient, answer)).request_uri;
      }),
    trade: (parameters, { state, verifier }) =>
      ask(async () => {
        const returned = new URLSearchParams(parameters);
        const checked = library.validateAuthResponse(metadata, ourClient, returned, state);
        const given = [checked, client.redirectUri, verifier, options] as const;
        const answer = await library.authorizationCodeGrantRequest(metadata, ourClient, authenticate, ...given);
        return library.processAuthorizationCodeResponse(metadata, ourClient, answer);
      }),
    refresh: (token) =>
      ask(async () => {
        const answer = await library.refreshTokenGrantRequest(metadata, ourClient, authenticate, token, options);
        return library.processRefreshTokenResponse(metadata, ourClient, answer);
      }),
    async revoke(token) {
      if (metadata.revocation_endpoint === undefined) return;
      await ask(async () => {
        const answer = await library.revocationRequest(metadata, ourClient, authenticate, token, options);
        return library.processRevocationResponse(answer);
      });
    },
  };
}
