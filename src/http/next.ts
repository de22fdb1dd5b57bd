import { assertHandler } from "./assert-handler.ts";
import type { Handler } from "./handler.ts";

/** The exports of a route file of the App Router. */
export interface RouteHandlers {
  /** Reads. */
  GET: Handler;
  /** Reads without a body. */
  HEAD: Handler;
  /** The allowed methods. */
  OPTIONS: Handler;
  /** Creates resources and runs actions. */
  POST: Handler;
  /** No route has it. */
  PUT: Handler;
  /** Changes. */
  PATCH: Handler;
  /** Deletes. */
  DELETE: Handler;
}

/**
 * Adapts a handler to Next.js. It includes methods that no route has, so that a wrong method gets the API's own
 * response.
 *
 * On a platform that freezes the process after a response, pass `after` of `next/server` to `createHandler` as
 * `waitUntil`. If next.config has a `basePath`, the handler's must begin with it.
 *
 * @throws SocialError `invalid_options` for anything but a function, such as the service itself
 *
 * @example
 * // app/social/[...path]/route.ts
 * export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = toNextJsHandler(handler);
 */
export function toNextJsHandler(handler: Handler): RouteHandlers {
  assertHandler("toNextJsHandler", handler);
  const handle: Handler = (request) => handler(request);
  return { GET: handle, HEAD: handle, OPTIONS: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}
