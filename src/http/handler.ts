import * as z from "zod";
import type { Logger } from "../ports/logger.ts";
import { aFunction, checkOptions, type OptionSchemas, option, wholeNumber } from "../ports/parse-options.ts";
import { portsOf, type Service } from "../service-ports.ts";
import { parseInput } from "../wire/parse.ts";
import { answerFor, failureAnswer, HttpFailure, type OnRemedy, successAnswer } from "./answer.ts";
import { readBody } from "./body.ts";
import { answerCallback, callbackPlaceOf } from "./callback.ts";
import { type Authenticate, assertOwnOrigin, type Caller, findCaller } from "./caller.ts";
import { answerDeletion, answerDeletionStatus, deletionCodeOf, deletionPlaceOf } from "./deletions.ts";
import { openFileBody } from "./file-body.ts";
import { answerFile, filesPath } from "./files.ts";
import { answerHook, hookPlaceOf } from "./hooks.ts";
import { countRequest, type RequestLimits, requestLimits } from "./limits.ts";
import { answerLoginDocument, loginDocumentAt } from "./login-documents.ts";
import { createMatcher, type Match, wrongMethod } from "./match.ts";
import { createMount } from "./mount.ts";
import { openApiDocument, openApiPath } from "./openapi/document.ts";
import { parametersOf, readQuery } from "./query.ts";
import type { Call, Route } from "./route.ts";
import { routes } from "./routes.ts";

/** The options of `createHandler`. */
export interface HandlerOptions {
  /** Path where the host mounts it: `/social` for `/social/v1/posts`. @default the root */
  basePath?: string | undefined;
  /**
   * The host's own authentication in place of API keys. A browser may attach its credential to any page's request (a
   * cookie, a password, a certificate). So a request that changes data must come from a page of the same host, or of
   * one of the service's `trustedOrigins`; except one with `Authorization: Bearer`, or if it returns `ambient:
   * false`.
   */
  authenticate?: Authenticate | undefined;
  /**
   * Requests a minute of each key, or of each `key_id` of `authenticate`, counted over all processes: `publish` for
   * requests that publish, `read` for all others.
   *
   * @default { read: 120, publish: 30 }
   */
  limits?: { read?: number | undefined; publish?: number | undefined } | undefined;
  /** For platforms that freeze a process after its response: receives the work that is still running. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

const aMinute = wholeNumber("requests a minute", { from: 1, to: 1_000_000 }).optional();

const optionsSchema = z.strictObject({
  basePath: option(
    'a path such as "/social"',
    (value) => typeof value === "string" && !value.includes("://"),
  ).optional(),
  authenticate: aFunction("a function that returns the caller of a request").optional(),
  limits: z.strictObject({ read: aMinute, publish: aMinute }).optional(),
  waitUntil: aFunction("a function that accepts a promise, such as after of next/server").optional(),
} satisfies OptionSchemas<HandlerOptions>);

/** A Fetch handler. It never throws, and returns every failure in the error envelope. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Creates the REST API of a service. Hono, Bun and Deno accept it directly; `postrider/http/node` and
 * `postrider/http/next` adapt it to others.
 *
 * @throws SocialError `invalid_options` that names each wrong option
 * @param social the return value of `createSocialService`, with or without tenants: the key determines the account
 */
export function createHandler(social: Service, options: HandlerOptions = {}): Handler {
  const ports = portsOf(social);
  checkOptions("createHandler", optionsSchema, options);
  const limits: RequestLimits = {
    read: options.limits?.read ?? requestLimits.read,
    publish: options.limits?.publish ?? requestLimits.publish,
  };
  const mount = createMount(options.basePath, ports);
  const { basePath } = mount;
  const match = createMatcher(routes);
  const onRemedy = logEachOnce(ports.logger);

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = mount.below(url.pathname);
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (path === openApiPath) return answerDocument(method);
    const callback = callbackPlaceOf(path);
    if (callback !== null)
      return answerCallback(ports, { method: request.method, place: callback, parameters: url.searchParams });
    const code = deletionCodeOf(path);
    if (code !== null) return answerDeletionStatus(ports, { method, code });
    const deletion = deletionPlaceOf(path);
    const { waitUntil } = options;
    if (deletion !== null) return answerDeletion(ports, request, { place: deletion, basePath, waitUntil });
    const place = hookPlaceOf(path);
    if (place !== null) return answerHook(ports, request, { place, waitUntil });
    const document = await loginDocumentAt(path, ports);
    if (document !== null) return answerLoginDocument(document, method);
    if (path.startsWith(filesPath)) return answerFile(ports.hosting, request, { path, search: url.searchParams });
    const matched = match(method, path);
    const { route } = matched;
    const caller = await findCaller(request, { storage: ports.storage, authenticate: options.authenticate });
    if (options.authenticate !== undefined) assertOwnOrigin(request, caller, ports.trustedOrigins);
    const left = await countRequest(ports.storage, { keyId: caller.key_id, bucket: route.bucket, limits });
    const response = await run(matched, { request, url, caller }).catch((error: unknown) =>
      failureResponse(error, ports.logger, onRemedy),
    );
    // A request whose body publishes already has the headers of that budget.
    if (!response.headers.has("ratelimit-limit")) addHeaders(response, left);
    return response;
  }

  /** Created once: any client can request it without a key, so it must be cheap. */
  let document: string | undefined;
  function answerDocument(method: string): Response {
    if (method !== "GET") throw wrongMethod(["GET"]);
    document ??= JSON.stringify(
      openApiDocument({ basePath, limits, networks: ports.networks.list().map(({ network }) => network) }),
    );
    return new Response(document, { headers: { "content-type": "application/json; charset=utf-8" } });
  }

  async function run(
    { route, id, parentId }: Match,
    given: { request: Request; url: URL; caller: Caller },
  ): Promise<Response> {
    const { request, url, caller } = given;
    assertScope(route, caller);
    const query = url.search === "" ? {} : readQuery(url.searchParams, parametersOf(route.query));
    const parsedQuery =
      route.query === null ? assertNone(query) : parseInput(route.query, query, { noun: "parameter" });
    const file = route.body?.mayBeFile === true ? await openFileBody(request) : null;
    const body = route.body === null || file !== null ? {} : await readBody(request, route.body, ports);
    const publishes = route.publishes?.(body, await ports.storage.now()) === true;
    const left = publishes
      ? await countRequest(ports.storage, { keyId: caller.key_id, bucket: "publish", limits })
      : {};
    const work = route.run({
      modules: { ...ports.forAccount(caller.account_id), networks: ports.networks },
      id,
      parentId,
      query: parsedQuery as never,
      body: body as never,
      file,
      headers: request.headers,
    } satisfies Call<never, never>);
    // Before the work is awaited, so that it goes on if the client disconnects.
    if (publishes || route.bucket === "publish") options.waitUntil?.(work.then(ports.untilIdle, ports.untilIdle));
    const response = await work.then(
      (reply) => successAnswer(reply, reply.status ?? route.status, onRemedy),
      (error: unknown) => failureResponse(error, ports.logger, onRemedy),
    );
    return addHeaders(response, left);
  }

  return async (request) => {
    const response = await answer(request).catch((error: unknown) => failureResponse(error, ports.logger, onRemedy));
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
}

function addHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Maximum number of different remedies that are logged. Each is logged once, so that it does not hide the others. */
const maxRemedies = 100;

function logEachOnce(logger: Logger): OnRemedy {
  const logged = new Set<string>();
  return (remedy) => {
    if (logged.has(remedy) || logged.size >= maxRemedies) return;
    logged.add(remedy);
    logger.warn("a request needs something that this service is not configured for", { remedy });
  };
}

/** The response for a thrown error. It shows the caller nothing about an internal error. */
function failureResponse(error: unknown, logger: Logger, onRemedy: OnRemedy): Response {
  const answer = answerFor(error, onRemedy);
  if (answer !== null && answer.status < 500) return answer;
  logger.error("a request failed", { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  const message = "Internal error; see the service's log. Retry with the same Idempotency-Key.";
  return answer ?? failureAnswer({ code: "internal_error", status: 500, message });
}

function assertScope(route: Route, { scopes }: Caller): void {
  if (scopes.includes(route.scope)) return;
  const message = `This key lacks the scope "${route.scope}".`;
  throw new HttpFailure({ code: "forbidden", status: 403, message });
}

function assertNone(query: Record<string, unknown>): object {
  const [name] = Object.keys(query);
  if (name === undefined) return {};
  const message = "This endpoint takes no parameters.";
  const details = [{ field: name, code: "invalid_request", message }];
  throw new HttpFailure({
    code: "invalid_request",
    status: 400,
    message: `The request is not valid. ${name}: ${message}`,
    details,
  });
}
