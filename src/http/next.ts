import { assertHandler } from "./assert-handler.ts";
import type { Handler } from "./handler.ts";

/** What a route file of the App Router exports. */
export interface RouteHandlers {
  /** For reads. */
  GET: Handler;
  /** For reads without a body. */
  HEAD: Handler;
  /** Which methods there are. */
  OPTIONS: Handler;
  /** For what is made, and for verbs. */
  POST: Handler;
  /** For what is replaced. */
  PUT: Handler;
  /** For changes. */
  PATCH: Handler;
  /** For what goes. */
  DELETE: Handler;
}

/**
 * A handler as Next.js takes it. Methods that no route has are among them,
 * so that a wrong method gets the same answer here as anywhere.
 *
 * On a platform that freezes the process after an answer give `after` of
 * `next/server` to `createHandler` as `waitUntil`. Where next.config has a
 * `basePath`, the handler's begins with it.
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
