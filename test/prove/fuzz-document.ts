/** The OpenAPI document as the fuzzer reads it: what may be sent, and whether an answer is as it says. */
import { openApiDocument } from "../../src/http/openapi/document.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { checkerOf, type OpenApiDocument } from "../support/openapi.ts";
import { createAnswerCheck } from "../support/openapi-answers.ts";
import { testNetworks } from "../support/service.ts";

export type Schema = JsonObject;

/** Where the handler is mounted in the fuzzer's world. */
export const basePath = "/social";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  method: string;
  /** `/v1/posts/{postId}`. */
  path: string;
  /** What a key needs for it. */
  scope: string;
  parameters: Parameter[];
  body: { schema: Schema; isRequired: boolean } | null;
}

const document = openApiDocument({ basePath, networks: testNetworks().map(({ spec }) => spec.network) });

export const operations: readonly Operation[] = Object.entries(document.paths as Record<string, JsonObject>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation as JsonObject)),
);

function toOperation(path: string, method: string, operation: JsonObject): Operation {
  const { operationId, description, parameters = [], requestBody } = operation;
  const [, scope = ""] = /scope `(\w+)`/.exec(String(description)) ?? [];
  const body = requestBody as { required: boolean; content: Record<string, { schema: Schema }> } | undefined;
  const schema = body?.content["application/json"]?.schema;
  return {
    operationId: String(operationId),
    method: method.toUpperCase(),
    path,
    scope,
    parameters: parameters as unknown as Parameter[],
    body: body === undefined || schema === undefined ? null : { schema, isRequired: body.required },
  };
}

/** The schema that a reference means, or the schema itself. */
export function resolved(schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const steps = schema.$ref.slice(2).split("/");
  return resolved(steps.reduce<unknown>((node, step) => (node as JsonObject)[step], document) as Schema);
}

/** The operations of a path, by method; empty where there is no such path. */
export function operationsAt(pathname: string): readonly Operation[] {
  if (!pathname.startsWith(`${basePath}/`)) return [];
  const steps = pathname.slice(basePath.length).split("/");
  const fitting = operations.filter(({ path }) => {
    const wanted = path.split("/");
    return (
      wanted.length === steps.length && wanted.every((step, at) => step === steps[at] || isFilled(step, steps[at]))
    );
  });
  const exact = fitting.filter(({ path }) => !path.includes("{"));
  return exact.length > 0 ? exact : fitting;
}

function isFilled(step: string, given: string | undefined): boolean {
  return step.startsWith("{") && given !== "";
}

/** What the document finds wrong in a JSON body, or in an answer; `path` is concrete and without the base path. */
export const bodyComplaints = checkerOf(changed(document, withoutFormat) as OpenApiDocument).request;
export const answerComplaints = createAnswerCheck(changed(document, closed) as OpenApiDocument);

type Change = (schema: JsonObject) => JsonObject;

function changed(node: unknown, change: Change): unknown {
  if (Array.isArray(node)) return node.map((each) => changed(each, change));
  if (typeof node !== "object" || node === null) return node;
  return change(
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, changed(value, change)])) as JsonObject,
  );
}

/** Answers may gain fields, but then the document has to gain them as well. */
function closed(schema: JsonObject): JsonObject {
  const isObject = schema.type === "object" && typeof schema.properties === "object";
  return isObject && schema.additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema;
}

/** The schemas that parse follow WHATWG's rules for addresses, not RFC 3986, and times have a pattern besides. */
function withoutFormat({ format, ...schema }: JsonObject): JsonObject {
  return typeof format === "string" ? schema : { ...schema, ...(format === undefined ? {} : { format }) };
}
