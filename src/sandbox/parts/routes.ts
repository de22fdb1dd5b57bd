import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { answerTo } from "./refusal.ts";

/** What a simulated network answers to. */
export interface Route {
  /** @default each of the network's */
  host?: string;
  method: string;
  /** The whole of it, or an expression whose first group is handed on as `id`. */
  path: string | RegExp;
  /** Tells routes of one path apart. @default they are not */
  fits?(url: URL): boolean;
  /** As failure scripts name it. */
  operation: string | ((request: SandboxRequest) => string);
  /** @throws Refusal */
  handle(request: SandboxRequest, id: string): SandboxAnswer | Promise<SandboxAnswer>;
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
  missing: SandboxAnswer;
  assertTaken?: (request: SandboxRequest) => void;
}): Router {
  const find = ({ method, url }: SandboxRequest): { route: Route; id: string } | null => {
    for (const route of routes) {
      const { host = url.hostname, path, fits = () => true } = route;
      if (host !== url.hostname || route.method !== method) continue;
      const found = typeof path === "string" ? (path === url.pathname ? [path] : null) : path.exec(url.pathname);
      if (found !== null && fits(url)) return { route, id: decodeURIComponent(found[1] ?? "") };
    }
    return null;
  };

  return {
    operation(request) {
      const name = find(request)?.route.operation ?? "unknown";
      return typeof name === "string" ? name : name(request);
    },
    async answer(request) {
      const found = find(request);
      if (found === null) return missing;
      try {
        assertTaken(request);
        return await found.route.handle(request, found.id);
      } catch (error) {
        return answerTo(error);
      }
    },
  };
}
