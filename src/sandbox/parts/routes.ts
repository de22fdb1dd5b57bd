import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { answerTo } from "./refusal.ts";

/** Answers a request; `ids` are what stands in its path. @throws Refusal */
export type Handle = (request: SandboxRequest, ...ids: string[]) => SandboxAnswer | Promise<SandboxAnswer>;

/** What a simulated network answers to. */
export interface Route {
  /** As failure scripts name it. */
  operation(request: SandboxRequest): string;
  /** The ids in the request's path; null: the request is another one. */
  match(request: Pick<SandboxRequest, "method" | "url">): string[] | null;
  handle: Handle;
}

/**
 * @param operation its name in failure scripts, or what makes it out of a request
 * @param address `POST /2/media/:id`: `:id` stands for digits, another name for any step of the path. Before the path
 * stands the host, where the network's other hosts do not have it; behind it what the query must say.
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
  /** As failure scripts name the request. */
  operation(request: SandboxRequest): string;
  answer(request: SandboxRequest): Promise<SandboxAnswer>;
}

/**
 * @param options.missing the answer where there is no such route
 * @param options.assertTaken what is asked of every request that has one @throws Refusal
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
