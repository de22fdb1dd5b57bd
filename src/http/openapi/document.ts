import { type RequestCode, statusOfCode } from "../../wire/errors.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import { type RequestLimits, requestLimits } from "../limits.ts";
import { parametersOf } from "../query.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import examples from "./examples.json" with { type: "json" };
import { errorRef, namedSchemas, paginationOf, requestRef, responseOf } from "./schemas.ts";

/** Path of the document; no key is needed. */
export const openApiPath = "/v1/openapi.json";

/**
 * Builds the OpenAPI 3.1 document of all routes, from the schemas that parse requests and shape responses.
 *
 * @param options the handler's; `networks`: the ids of the service's networks, which requests may name. Responses and
 * filters allow any well-formed id, since posts outlive the networks that a service is given. Absent: requests allow
 * any, too.
 */
export function openApiDocument({
  basePath,
  limits = requestLimits,
  networks,
}: {
  basePath: string;
  limits?: RequestLimits;
  networks?: readonly string[] | undefined;
}): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, limits) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "postrider",
      version: "1.0.0",
      description:
        "Publishing to social networks without duplicate or lost posts. Send an idempotency key with every post: " +
        "a repeated request with the same key returns the first post. Uploaded files are read at their `url`, without an API " +
        "key. An unlisted path returns 404, " +
        "an unlisted method 405 with `Allow`, both with the schema `Error`.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      contact: { name: "The host of this service" },
    },
    servers: [{ url: basePath === "" ? "/" : basePath }],
    security: [{ key: [] }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name, description: `Endpoints under /v1/${name}.` })),
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key: service_live_…" } },
      schemas: namedSchemas(networks),
      responses: Object.fromEntries(failures.map((failure) => [failure.name, failureResponse(failure)])),
      headers: { ...rateLimitHeaders, "Retry-After": retryAfterHeader },
    },
  };
}

function operationOf(route: Route, limits: RequestLimits): JsonObject {
  const limit = `${limits[route.bucket]} requests a minute`;
  const besides = route.publishes === undefined ? "" : " A request that publishes also counts as publishing.";
  return {
    operationId: route.operation,
    summary: route.summary,
    description: `${route.summary}. The key needs the scope \`${route.scope}\`; ${limit}, ${bucketNames[route.bucket]}.${besides}`,
    tags: [tagOf(route)],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body === null ? {} : { requestBody: requestBodyOf(route.body) }),
    responses: { ...successesOf(route), ...failuresOf(route) },
  };
}

const bucketNames = {
  read: "shared by all requests that do not publish",
  publish: "shared by all requests that publish",
} as const;

function tagOf({ path }: Route): string {
  return path.split("/")[2] ?? "";
}

function pathParameters({ path }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    description: `The ${name.replace(/Id$/, "")}'s \`id\`.`,
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: Route): JsonObject[] {
  return parametersOf(query).map(({ name, kind, schema, description, isRequired }) => ({
    name,
    in: "query",
    description,
    ...(isRequired ? { required: true } : {}),
    schema,
    ...(kind === "list" ? { style: "form", explode: false } : {}),
  }));
}

function headerParameters({ replay }: Route): JsonObject[] {
  if (replay === undefined) return [];
  const description = "The same as `idempotency_key` in the body.";
  return [
    { name: "Idempotency-Key", in: "header", description, schema: { type: "string", minLength: 8, maxLength: 255 } },
  ];
}

function requestBodyOf({ schema, isRequired, example, mayBeFile = false }: NonNullable<Route["body"]>): JsonObject {
  const content = { "application/json": { schema: requestRef(schema), example: example as JsonObject } };
  return { required: isRequired, content: mayBeFile ? { ...content, ...fileContent } : content };
}

/** The types of a file upload: the body itself, or a form. */
const fileContent: JsonObject = {
  "image/*": { schema: {} },
  "video/*": { schema: {} },
  "multipart/form-data": {
    schema: {
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", contentMediaType: "application/octet-stream" } },
    },
  },
};

function successesOf(route: Route): JsonObject {
  const { status, summary, replay } = route;
  const success: JsonObject = { description: summary, headers: headerRefs, ...contentOf(route) };
  if (replay === undefined) return { [status]: success };
  const headers = { ...headerRefs, "Idempotent-Replay": { schema: { type: "string", const: "true" } } };
  if (status === 200) return { 200: { ...success, description: `${summary}. ${replay}`, headers } };
  return { 200: { ...success, description: replay, headers }, [status]: success };
}

function contentOf({ data, isList, query }: Route): JsonObject {
  if (data === null) return {};
  const item = responseOf(data);
  const pagination = paginationOf(query);
  const meta = { type: "object", required: ["pagination"], properties: { pagination: pagination.schema } };
  const properties: JsonObject = isList ? { data: { type: "array", items: item.schema }, meta } : { data: item.schema };
  const example = isList ? { data: [item.example], meta: { pagination: pagination.example } } : { data: item.example };
  const schema = { type: "object", required: Object.keys(properties), properties };
  return { content: { "application/json": { schema, example: example as JsonObject } } };
}

/** A failure that several routes share; two codes may have the same status. */
interface SharedFailure {
  name: string;
  status: number;
  codes: readonly RequestCode[];
  when: string;
  headers?: JsonObject;
}

/** All failures, by status. */
const failures: readonly SharedFailure[] = [
  {
    name: "InvalidRequest",
    status: 400,
    codes: ["invalid_request"],
    when: "The body or query is not valid; `details` lists each field and network.",
  },
  {
    name: "Unauthorized",
    status: 401,
    codes: ["unauthorized"],
    when: "The key is missing, malformed or revoked.",
    headers: { "WWW-Authenticate": { schema: { type: "string" } } },
  },
  {
    name: "PaymentRequired",
    status: 402,
    codes: ["payment_required"],
    when: "The plan does not cover a profile of the post.",
  },
  { name: "Forbidden", status: 403, codes: ["forbidden"], when: "The key lacks the scope." },
  { name: "NotFound", status: 404, codes: ["not_found"], when: "The account has no such resource." },
  { name: "Conflict", status: 409, codes: ["conflict"], when: "The resource's state does not allow this." },
  {
    name: "TooSlow",
    status: 408,
    codes: ["invalid_request"],
    when: "The body did not arrive completely within 30 s.",
  },
  {
    name: "TooLarge",
    status: 413,
    codes: ["invalid_request"],
    when: "The body is larger than 1 MiB, or the file exceeds the account's limit.",
  },
  { name: "WrongContentType", status: 415, codes: ["invalid_request"], when: "The body is not sent as JSON." },
  {
    name: "Unprocessable",
    status: 422,
    codes: ["unsupported", "publish_failed"],
    when: "The network does not support it, or rejected it.",
  },
  {
    name: "RateLimited",
    status: 429,
    codes: ["rate_limited"],
    when: "Too many requests for the key, or too many concurrent uploads of the account.",
    headers: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
  },
  {
    name: "InternalError",
    status: 500,
    codes: ["internal_error"],
    when: "Internal error. Retry with the same idempotency key.",
  },
];

function failureResponse({ status, codes, when, headers }: SharedFailure): JsonObject {
  const counted = status === 401 ? {} : headerRefs;
  const example = (examples.failures as Record<string, Json>)[status];
  return {
    description: `${codes.map((code) => `\`${code}\``).join(" or ")}: ${when}`,
    headers: { ...counted, ...headers },
    content: {
      "application/json": { schema: errorRef, ...(example === undefined ? {} : { example }) },
    },
  };
}

/** Failures of every route. */
const commonFailures: readonly RequestCode[] = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "rate_limited",
  "internal_error",
];

function failuresOf({ errors, body }: Route): JsonObject {
  const statuses = new Set([...commonFailures, ...errors].map((code) => statusOfCode[code]));
  for (const status of body === null ? [] : [408, 413, 415]) statuses.add(status);
  const listed = failures.filter(({ status }) => statuses.has(status));
  return Object.fromEntries(listed.map(({ name, status }) => [status, { $ref: `#/components/responses/${name}` }]));
}

const rateLimitHeaders: JsonObject = {
  "RateLimit-Limit": { description: "Requests allowed in the window.", schema: { type: "integer" } },
  "RateLimit-Remaining": { description: "Requests left in the window.", schema: { type: "integer" } },
  "RateLimit-Reset": { description: "Seconds until the window ends.", schema: { type: "integer" } },
};
const retryAfterHeader: JsonObject = { description: "Seconds to wait.", schema: { type: "integer" } };
const headerRefs: JsonObject = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
