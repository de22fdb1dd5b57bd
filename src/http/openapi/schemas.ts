import { z } from "zod";
import { networkSchema } from "../../networks/runtime/registry.ts";
import { createPostSchema, postPlanSchema } from "../../planning/schema.ts";
import { retryPostSchema, updatePostSchema } from "../../posts/schema.ts";
import { connectProfileSchema, profileSchema } from "../../profiles/schema.ts";
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
import { examples } from "./examples.ts";

const detailSchema = z.object({
  message: z.string().describe("What is wrong and what to do, for humans."),
  field: z.string().optional().describe("The request's field or parameter concerned: `media[2].url`."),
  network: z.string().optional().describe("The network concerned."),
  code: z
    .string()
    .optional()
    .describe(`What kind of problem: ${publishingCodes.map((code) => `\`${code}\``).join(", ")} or a request's code.`),
});

const errorSchema = z.object({
  error: z.object({
    code: z
      .enum(Object.keys(statusOfCode) as [RequestCode, ...RequestCode[]])
      .describe("What to branch on. New ones may come."),
    message: z.string().describe("For humans; it may change."),
    details: z.array(detailSchema).optional().describe("By field or by network, where there is such a breakdown."),
  }),
});

const paginationSchema = z.object({
  limit: z.int().describe("Rows on the page."),
  offset: z.int().describe("Rows skipped."),
  total: z.int().describe("Rows that match in all."),
  has_more: z.boolean().describe("More rows exist after this page."),
});

/** Schemas of answers with a name of their own, each with an example. */
const responseSchemas = {
  Post: { schema: postSchema, example: examples.post },
  PostPlan: { schema: postPlanSchema, example: examples.postPlan },
  Profile: { schema: profileSchema, example: examples.profile },
  Network: { schema: networkSchema, example: examples.network },
  Webhook: { schema: endpointSchema, example: examples.webhook },
  CreatedWebhook: { schema: createdEndpointSchema, example: examples.createdWebhook },
  WebhookSecret: { schema: secretSchema, example: examples.webhookSecret },
  WebhookTest: { schema: testResultSchema, example: examples.webhookTest },
  Delivery: { schema: deliverySchema, example: examples.delivery },
  Pagination: { schema: paginationSchema, example: examples.pagination },
  Error: { schema: errorSchema, example: {} },
};

const requestSchemas = {
  CreatePost: createPostSchema,
  UpdatePost: updatePostSchema,
  RetryPost: retryPostSchema,
  ConnectProfile: connectProfileSchema,
  CreateWebhook: createEndpointSchema,
  UpdateWebhook: updateEndpointSchema,
  RotateWebhookSecret: rotateSecretSchema,
};

/** `components.schemas`. */
export function namedSchemas(): JsonObject {
  const requests = Object.entries(requestSchemas).map(([name, schema]) => [name, toJson(schema, "input")]);
  const responses = Object.entries(responseSchemas).map(([name, { schema }]) => [name, toJson(schema, "output")]);
  const json: JsonObject = { description: "Any JSON value." };
  return Object.fromEntries([...requests, ...responses, [jsonName, json]]);
}

/** A request's schema by its name. */
export function requestRef(schema: z.ZodType): JsonObject {
  const name = Object.entries(requestSchemas).find(([, each]) => each === schema)?.[0];
  if (name === undefined) throw new Error("A request body needs a name in the document.");
  return refTo(name);
}

/** The schema of what an answer holds, named ones by their names, with an example of it. */
export function responseOf(schema: z.ZodType): { schema: JsonObject; example: unknown } {
  const [name, named] = Object.entries(responseSchemas).find(([, each]) => each.schema === schema) ?? [];
  if (name !== undefined) return { schema: refTo(name), example: named?.example };
  if (schema instanceof z.ZodArray) {
    const item = responseOf(schema.element as z.ZodType);
    return { schema: { type: "array", items: item.schema }, example: [item.example] };
  }
  if (!(schema instanceof z.ZodObject)) throw new Error("An answer is an object, an array or a named schema.");
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
export const paginationRef = refTo("Pagination");

function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** What a recursive schema becomes: the only one is any JSON value. */
const jsonName = "Json";

function toJson(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const json = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema as JsonObject, io) });
  const { $schema: _, $defs, ...plain } = json as JsonObject;
  if (Object.values($defs ?? {}).some((each) => !isAnyJson(each as JsonObject))) {
    throw new Error("A recursive schema needs a name in the document.");
  }
  // A pointer to $defs would be looked for at the document's root.
  const toName = (key: string, value: unknown): unknown =>
    key === "$ref" && String(value).startsWith("#/$defs/") ? refTo(jsonName).$ref : value;
  return JSON.parse(JSON.stringify(plain), toName) as JsonObject;
}

function isAnyJson({ anyOf }: JsonObject): boolean {
  const types = Array.isArray(anyOf) ? anyOf.map((branch) => (branch as JsonObject).type) : [];
  return types.join() === "string,number,boolean,null,array,object";
}

/** Says the same in a form that readers and client generators understand better. */
function tidy(json: JsonObject, io: "input" | "output"): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  nameKeys(json);
  liftDescription(json);
  // Answers may gain fields; requests name what they take.
  if (io === "output" && json.additionalProperties === false) delete json.additionalProperties;
  // Generators take a property with a default for one that must be given.
  if (io === "input" && "default" in json) {
    const note = `Default: \`${JSON.stringify(json.default)}\`.`;
    json.description = json.description === undefined ? note : `${String(json.description)} ${note}`;
    delete json.default;
  }
}

/** Keys out of a list are properties; any key needs no mention. */
function nameKeys(json: JsonObject): void {
  const names = json.propertyNames as JsonObject | undefined;
  if (names === undefined) return;
  delete json.propertyNames;
  if (!Array.isArray(names.enum)) return;
  json.properties = Object.fromEntries(names.enum.map((name) => [String(name), json.additionalProperties ?? {}]));
  json.additionalProperties = false;
}

/** Of what may be null besides, the description belongs to the whole. */
function liftDescription(json: JsonObject): void {
  if (!Array.isArray(json.anyOf) || json.description !== undefined) return;
  const described = (json.anyOf as JsonObject[]).filter(({ description }) => description !== undefined);
  const [only] = described;
  if (described.length !== 1 || only?.description === undefined) return;
  json.description = only.description;
  delete only.description;
}
