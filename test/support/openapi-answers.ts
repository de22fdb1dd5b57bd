import { checkerOf, type OpenApiDocument } from "./openapi.ts";

/** What is wrong with an answer, one line each; none: it is as the document says. `body` is parsed; undefined where there is none. */
export type AnswerCheck = (method: string, path: string, status: number, body: unknown) => string[];

/**
 * Checks answers of the REST surface against its own OpenAPI document. `path`
 * is a request's: with the base path, and perhaps a query. What the document has
 * no operation for may only be a 404 or a 405 with the error envelope.
 */
export function createAnswerCheck(document: object): AnswerCheck {
  const known = document as OpenApiDocument & { servers?: { url: string }[] };
  const checker = checkerOf({
    ...known,
    paths: { ...known.paths, [anywhere]: { get: { responses: { default: errorResponse } } } },
  });
  const basePath = (known.servers?.[0]?.url ?? "/").replace(/\/$/, "");
  return (method, path, status, body) => {
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const [bare = ""] = path.split("?");
    const below = bare.startsWith(`${basePath}/`) ? bare.slice(basePath.length) : "/outside";
    // A HEAD has the status and nothing to check besides.
    const value = method === "HEAD" ? undefined : body;
    const findings = checker.reply(verb, below, status, value);
    if (findings[0]?.startsWith("no operation")) {
      if (status !== 404 && status !== 405) return [`${status} for ${method} ${bare}, which is not documented`];
      return method === "HEAD" ? [] : checker.reply("get", anywhere, status, body);
    }
    const isMissing = value === undefined && method !== "HEAD" && status !== 204;
    return isMissing ? ["the answer has no body"] : findings;
  };
}

const anywhere = "/anywhere-else";
const errorResponse = {
  description: "An error.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};
