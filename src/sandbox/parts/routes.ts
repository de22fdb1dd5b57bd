import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { answerTo } from "./refusal.ts";

/** Responds to a request; `ids` are the parts of its path. @throws Refusal */
export type Handle = (request: SandboxRequest, ...ids: string[]) => SandboxAnswer | Promise<SandboxAnswer>;

/** A route of a simulated network. */
export interface Route {
  /** The operation's name in failure scripts. */
  operation(request: SandboxRequest): string;
  /** The ids in the request's path; null: the route does not match. */
  match(request: Pick<SandboxRequest, "method" | "url">): string[] | null;
  handle: Handle;
}

/**
 * @param operation its name in failure scripts, or a function that derives it from a request
 * @param address `POST /2/media/:id`: `:id` matches digits, another name any segment of the path. The host may precede
 * the path, if the network's other hosts lack the route; what the query must contain may follow it.
 */
export function route(operation: string | Route["operation"], address: string, handle: Handle): Route {
  const [, method, host = "", path = "", asked] = /^(\w+) ([^/]*)([^?]*)(\?.*)?$/.exec(address) ?? [];
  const pattern = new RegExp(`^${path.replaceAll(":id", "(\\d+)").replace(/:\w+/g, "([^/]+)")}$`);
  const query = [...new URLSearchParams(asked)];
  return {
    operation: typeof operation === "string" ? () => operation : operation,
    match(request) {
      const { hostname, pathname, searchParams } = request.url;
      if (request.method !== method || (host !== "" && host !== hostname)) return null;
      if (query.some(([name, value]) => searchParams.get(name) !== value)) return null;
      return pattern.exec(pathname)?.slice(1).map(decodeURIComponent) ?? null;
    },
    handle,
  };
}

export interface Router {
  /** The request's name in failure scripts. */
  operation(request: SandboxRequest): string;
  answer(request: SandboxRequest): Promise<SandboxAnswer>;
}

/**
 * @param options.missing the response if no route matches
 * @param options.assertTaken a check of every request that matches a route @throws Refusal
 */
export function createRouter({
  routes,
  missing,
  assertTaken = () => {},
}: {
  routes: readonly Route[];
  missing: (request: SandboxRequest) => SandboxAnswer;
  assertTaken?: ((request: SandboxRequest) => void) | undefined;
}): Router {
  const find = (request: SandboxRequest): { route: Route; ids: string[] } | null => {
    for (const each of routes) {
      const ids = each.match(request);
      if (ids !== null) return { route: each, ids };
    }
    return null;
  };

  return {
    operation: (request) => find(request)?.route.operation(request) ?? "unknown",
    async answer(request) {
      const found = find(request);
      if (found === null) return missing(request);
      try {
        assertTaken(request);
        return await found.route.handle(request, ...found.ids);
      } catch (error) {
        return answerTo(error);
      }
    },
  };
}
