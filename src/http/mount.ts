import { once } from "../async/once.ts";
import type { Logger } from "../ports/logger.ts";
import { HttpFailure } from "./answer.ts";
import { openApiPath } from "./openapi/document.ts";

/** Where a handler is mounted. */
export interface Mount {
  /** As in a request's URL: `/social`; empty: the root. */
  basePath: string;
  /**
   * A request's path below it: `/v1/posts`. Logs once what the host must change; the client learns only where the API
   * is.
   *
   * @throws HttpFailure 404 for a path that is not below it
   */
  below(path: string): string;
}

/** Compares the two options that say where the handler is mounted, and warns if they differ. */
export function createMount(
  basePath: string | undefined,
  { baseUrl, logger }: { baseUrl: string | null; logger: Logger },
): Mount {
  const own = normalizePath(basePath ?? "");
  const publicPath = baseUrl === null ? own : normalizePath(new URL(baseUrl).pathname);
  if (publicPath !== own)
    logger.warn(
      `createHandler: basePath is "${own}", but baseUrl ends with "${publicPath}"; make them equal unless a proxy changes the path, because networks and browsers use URLs below baseUrl`,
    );
  const warnOnce = once((found) =>
    logger.warn(
      `createHandler: requests arrive below "${found}", but basePath is "${own}"; pass basePath: "${found}" if the handler is mounted there`,
    ),
  );
  return {
    basePath: own,
    below(path) {
      const found = /^(.*?)\/v1\//.exec(path)?.[1];
      const isBelow = path.startsWith(`${own}/`) && path.length > own.length + 1;
      if (own === "" ? found === undefined || found === "" : isBelow) return path.slice(own.length);
      if (own !== "" && (path === own || path === `${own}/`))
        throw notFound(`There is no endpoint at ${own} itself; ${own}${openApiPath} describes those below it.`);
      if (found !== undefined) warnOnce(found.slice(0, 200));
      throw notFound(`There is no endpoint ${path.slice(0, 200)}; the API is at ${own}/v1.`);
    },
  };
}

/** `social/` as `/social`, encoded as in a request's URL. */
function normalizePath(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : new URL(`http://host/${trimmed}`).pathname;
}

function notFound(message: string): HttpFailure {
  return new HttpFailure({ code: "not_found", status: 404, message });
}
