import * as z from "zod";
import {
  connectionSchema,
  connectSchema,
  finishConnectionSchema,
  startedConnectionSchema,
} from "../../connections/schema.ts";
import { createUploadSchema, hostedMediaSchema, mediaUploadSchema, uploadByUrlSchema } from "../../hosting/schema.ts";
import {
  changesSchema,
  conversationSchema,
  inboxStatusSchema,
  markReadSchema,
  messageSchema,
  replySchema,
  updateConversationSchema,
} from "../../inbox/schema.ts";
import { networkIdPattern } from "../../networks/contract/network-id.ts";
import { networkSchema } from "../../networks/runtime/schema.ts";
import { createPostSchema, postPlanSchema } from "../../planning/schema.ts";
import { retryPostSchema, updatePostSchema } from "../../posts/schema.ts";
import { optionChoiceSchema, profileSchema } from "../../profiles/schema.ts";
import { postSchema } from "../../publishing/schema.ts";
import {
  createdEndpointSchema,
  createEndpointSchema,
  deliverySchema,
  endpointSchema,
  rotateSecretSchema,
  secretSchema,
  testResultSchema,
  updateEndpointSchema,
} from "../../webhooks/schema.ts";
import { publishingCodes, type RequestCode, statusOfCode } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import examples from "./examples.json" with { type: "json" };

const detailSchema = z.object({
  message: z.string().describe("A message for humans: the problem and the remedy."),
  field: z.string().optional().describe("The request field or parameter: `media[2].url`."),
  network: z.string().optional().describe("The network that this is about."),
  code: z
    .string()
    .optional()
    .describe(`The kind of problem: ${publishingCodes.map((code) => `\`${code}\``).join(", ")} or a request's code.`),
  profile_ids: z
    .array(z.string())
    .optional()
    .describe("Profiles of the post that a corrected request may list instead."),
});

const errorSchema = z
  .object({
    error: z.object({
      code: z
        .enum(Object.keys(statusOfCode) as [RequestCode, ...RequestCode[]])
        .describe("The code to branch on. New codes may be added."),
      message: z.string().describe("A message for humans; its wording may change."),
      details: z.array(detailSchema).optional().describe("Details by field or by network, if any."),
    }),
  })
  .meta({ id: "Error" });

const paginationSchema = z
  .object({
    limit: z.int().describe("Rows on the page."),
    offset: z.int().describe("Rows skipped."),
    total: z.int().describe("Total number of matching rows."),
    has_more: z.boolean().describe("More rows exist after this page."),
  })
  .meta({ id: "Pagination" });

const cursorPaginationSchema = paginationSchema
  .extend({
    total: z.int().describe("The number of matching rows; with a `cursor`, as counted on the first page."),
    next_cursor: z.string().nullable().describe("The `cursor` of the next page; null: this is the last page."),
  })
  .meta({ id: "CursorPagination" });

/** Response schemas with their own name in the document, their schema's id. */
export const responses: readonly z.ZodType[] = [
  postSchema,
  postPlanSchema,
  profileSchema,
  startedConnectionSchema,
  connectionSchema,
  optionChoiceSchema,
  networkSchema,
  hostedMediaSchema,
  mediaUploadSchema,
  endpointSchema,
  createdEndpointSchema,
  secretSchema,
  testResultSchema,
  deliverySchema,
  conversationSchema,
  messageSchema,
  changesSchema,
  inboxStatusSchema,
  paginationSchema,
  cursorPaginationSchema,
  errorSchema,
];

const requests: readonly z.ZodType[] = [
  createPostSchema,
  updatePostSchema,
  retryPostSchema,
  connectSchema,
  finishConnectionSchema,
  uploadByUrlSchema,
  createUploadSchema,
  createEndpointSchema,
  updateEndpointSchema,
  rotateSecretSchema,
  updateConversationSchema,
  replySchema,
  markReadSchema,
];

function idOf(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error("A request body, and a listed response, needs an id in the document.");
  return id;
}

/** `components.schemas`. @param networks network ids that requests may name; undefined: any */
export function namedSchemas(networks: readonly string[] | undefined): JsonObject {
  const inputs = requests.map((schema) => [
    idOf(schema),
    toJson(schema, "input", (json) => tidyRequest(json, networks)),
  ]);
  const outputs = responses.map((schema) => [idOf(schema), toJson(schema, "output", tidyAnswer)]);
  const json: JsonObject = { description: "Any JSON value." };
  return Object.fromEntries([...inputs, ...outputs, [jsonName, json]]);
}

/** A reference to a request's schema. */
export function requestRef(schema: z.ZodType): JsonObject {
  if (!requests.includes(schema)) throw new Error("The schema of a request body must be listed in `requests`.");
  return refTo(idOf(schema));
}

/** The schema of a response's data and an example of it; named schemas become references. */
export function responseOf(schema: z.ZodType): { schema: JsonObject; example: unknown } {
  if (responses.includes(schema)) {
    const name = idOf(schema);
    return { schema: refTo(name), example: (examples.answers as Record<string, unknown>)[name] };
  }
  if (schema instanceof z.ZodArray) {
    const item = responseOf(schema.element as z.ZodType);
    return { schema: { type: "array", items: item.schema }, example: [item.example] };
  }
  if (schema instanceof z.ZodUnion) {
    const kinds = schema.options.map((each) => responseOf(each as z.ZodType));
    return { schema: { anyOf: kinds.map((kind) => kind.schema) }, example: kinds[0]?.example };
  }
  if (!(schema instanceof z.ZodObject)) throw new Error("A response must be an object, an array or a named schema.");
  const fields = Object.entries(schema.shape).map(([key, field]) => [key, responseOf(field as z.ZodType)] as const);
  return {
    schema: {
      type: "object",
      required: fields.map(([key]) => key),
      properties: Object.fromEntries(fields.map(([key, field]) => [key, field.schema])),
    },
    example: Object.fromEntries(fields.map(([key, field]) => [key, field.example])),
  };
}

export const errorRef = refTo("Error");
/** Where a page of a list stands: of one that takes a cursor, also where the next begins. */
export function paginationOf(query: z.ZodObject | null): { schema: JsonObject; example: JsonObject } {
  const { Pagination, CursorPagination } = examples.answers;
  const takesCursor = query !== null && Object.hasOwn(query.shape, "cursor");
  return takesCursor
    ? { schema: refTo("CursorPagination"), example: CursorPagination }
    : { schema: refTo("Pagination"), example: Pagination };
}

function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name for a recursive schema; the only one is any JSON value. */
const jsonName = "Json";

function toJson(schema: z.ZodType, io: "input" | "output", tidyUp: (json: JsonObject) => void): JsonObject {
  const json = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidyUp(jsonSchema as JsonObject) });
  const { [idOf(schema)]: own, ...others } = json.$defs as Record<string, JsonObject>;
  for (const [name, each] of Object.entries(others)) {
    if (!isNamed(name) && !isAnyJson(each)) throw new Error("A recursive schema needs a name in the document.");
  }
  // Readers would resolve a pointer to $defs at the document's root.
  const toName = (key: string, value: unknown): unknown => {
    const [, name] = (key === "$ref" && /^#\/\$defs\/(.+)$/.exec(String(value))) || [];
    return name === undefined ? value : refTo(isNamed(name) ? name : jsonName).$ref;
  };
  return JSON.parse(JSON.stringify(own), toName) as JsonObject;
}

function isNamed(id: string): boolean {
  return [...requests, ...responses].some((schema) => idOf(schema) === id);
}

function isAnyJson({ anyOf }: JsonObject): boolean {
  const types = Array.isArray(anyOf) ? anyOf.map((branch) => (branch as JsonObject).type) : [];
  return types.join() === "string,number,boolean,null,array,object";
}

/** Simplifies a schema for readers and client generators without changing its meaning. */
function tidy(json: JsonObject): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  nameKeys(json);
  liftDescription(json);
}

function tidyRequest(json: JsonObject, networks: readonly string[] | undefined): void {
  if (networks !== undefined) listNetworks(json, networks);
  tidy(json);
  // Generators treat a property with a default as required.
  if ("default" in json) {
    const note = `Default: \`${JSON.stringify(json.default)}\`.`;
    json.description = json.description === undefined ? note : `${String(json.description)} ${note}`;
    delete json.default;
  }
}

/** Responses may gain fields, so they allow additional ones; requests do not. */
function tidyAnswer(json: JsonObject): void {
  tidy(json);
  if (json.additionalProperties === false) delete json.additionalProperties;
}

/** Replaces the pattern of network ids by the list of ids. */
function listNetworks(json: JsonObject, networks: readonly string[]): void {
  if (json.pattern !== networkIdPattern.source || networks.length === 0) return;
  delete json.pattern;
  delete json.examples;
  json.enum = [...networks];
}

/** Turns a record with listed keys into properties, and omits `propertyNames` if it allows any key. */
function nameKeys(json: JsonObject): void {
  const names = json.propertyNames as JsonObject | undefined;
  if (names === undefined) return;
  if (!Array.isArray(names.enum)) {
    if (names.pattern === undefined) delete json.propertyNames;
    return;
  }
  delete json.propertyNames;
  json.properties = Object.fromEntries(names.enum.map((name) => [String(name), json.additionalProperties ?? {}]));
  json.additionalProperties = false;
}

/** Moves the description of a nullable value from its branch to the whole. */
function liftDescription(json: JsonObject): void {
  if (!Array.isArray(json.anyOf) || json.description !== undefined) return;
  const described = (json.anyOf as JsonObject[]).filter(({ description }) => description !== undefined);
  const [only] = described;
  if (described.length !== 1 || only?.description === undefined) return;
  json.description = only.description;
  delete only.description;
}
