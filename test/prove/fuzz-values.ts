/** Values that a schema of the document allows, the odd ones among them. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { resolved, type Schema } from "./fuzz-document.ts";

/** Values for a name, where the schema alone says too little: ids, credentials. */
export type Pools = Readonly<Record<string, fc.Arbitrary<Json>>>;

/** Of a hundred objects, how many carry a field that may be left out; `text` often, so that many posts are valid. */
const optionalPercent = 15;
const percentOf: Readonly<Record<string, number>> = { text: 95, post_type: 4, networks: 6 };

export function valueFor(given: Schema, name: string, pools: Pools): fc.Arbitrary<Json> {
  const pool = pools[name];
  if (pool !== undefined) return pool;
  const schema = resolved(given);
  if (!kinds.some((kind) => kind in schema)) return anyJson;
  if (Array.isArray(schema.anyOf)) {
    return fc.oneof(...(schema.anyOf as Schema[]).map((branch) => valueFor(branch, `${name}|`, pools)));
  }
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => valueFor({ ...schema, type }, `${name}|`, pools)));
  }
  if (schema.type === "object") return objectFor(schema, pools);
  if (schema.type === "array") return arrayFor(schema, name, pools);
  if (schema.type === "string") return textFor(schema);
  if (schema.type === "integer") return integerFor(schema);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  throw new Error(`The fuzzer has no values for ${JSON.stringify(schema)}.`);
}

const kinds = ["type", "anyOf", "enum"];
const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

function objectFor(schema: Schema, pools: Pools): fc.Arbitrary<Json> {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (properties === undefined) {
    const names = propertyNames === undefined ? fc.string() : textOrEnum(propertyNames as Schema);
    return fc.dictionary(names, valueFor(additionalProperties as Schema, "", pools), { maxKeys: 2 });
  }
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, field]) => {
    const value = valueFor(field, name, pools).map((each): [string, Json][] => [[name, each]]);
    if ((required as string[]).includes(name)) return value;
    const percent = percentOf[name] ?? optionalPercent;
    return fc.oneof(
      { weight: 100 - percent, arbitrary: fc.constant<[string, Json][]>([]) },
      { weight: percent, arbitrary: value },
    );
  });
  return fc.tuple(...fields).map((entries): JsonObject => Object.fromEntries(entries.flat()));
}

function textOrEnum(schema: Schema): fc.Arbitrary<string> {
  return Array.isArray(schema.enum) ? fc.constantFrom(...(schema.enum as string[])) : fc.string();
}

function arrayFor(schema: Schema, name: string, pools: Pools): fc.Arbitrary<Json> {
  const { minItems = 0, maxItems = 100, items } = schema as { minItems?: number; maxItems?: number; items: Schema };
  const item = valueFor(items, `${name}[]`, pools);
  const few = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) });
  const full = item.map((each) => Array.from({ length: maxItems }, () => each));
  return fc.oneof({ weight: 15, arbitrary: few }, { weight: 1, arbitrary: full });
}

/** What breaks where text is counted, cut or compared. */
const awkwardTexts = [
  "👩‍👩‍👧‍👦 family",
  "e\u0301 and \u00e9",
  "مرحبا @alice.sandbox.example",
  "see https://example.com/a_(b)?q=1#x.",
  "\u202eright to left\u202c",
  "\ufeffbom",
  "a\u2028b\u2029c",
  "'; DROP TABLE posts; --",
  "<script>alert(1)</script>",
  "{{7*7}} %s %n",
  "constructor",
  "𝒳".repeat(20),
] as const;

function textFor(schema: Schema): fc.Arbitrary<Json> {
  if (schema.format === "uri") return fc.constantFrom(...addresses);
  if (schema.format === "date-time") return fc.constantFrom(...times);
  if (Array.isArray(schema.examples) && typeof schema.pattern === "string") {
    const other = fc.stringMatching(new RegExp(schema.pattern));
    return fc.oneof(fc.constantFrom(...(schema.examples as string[])), other);
  }
  const { minLength = 0, maxLength = 1_000 } = schema as { minLength?: number; maxLength?: number };
  const isLongEnough = (text: string): boolean => [...text].length >= minLength && [...text].length <= maxLength;
  const plain = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 40) });
  const awkward = fc.constantFrom<string>(...awkwardTexts).filter(isLongEnough);
  const edge = fc
    .tuple(fc.constantFrom("x", "é", "👍"), fc.constantFrom(minLength, minLength + 1, maxLength - 1, maxLength))
    .map(([unit, length]) => unit.repeat(length));
  return fc.oneof(
    { weight: 8, arbitrary: plain.filter(isLongEnough) },
    { weight: 3, arbitrary: awkward },
    { weight: 1, arbitrary: edge },
  );
}

const addresses = [
  "https://media.sandbox.example/hills.png",
  "https://media.sandbox.example/hills.png?2",
  "https://media.sandbox.example/hills.png?3",
  "https://media.sandbox.example/hills.png",
  "https://media.sandbox.example/missing.png",
  "https://nowhere.example/a.png",
  "https://example.com/article?a=1&b=2#c",
  "http://example.com",
  "ftp://example.com/file",
  "https://user:password@example.com/",
] as const;

/** The world's clock stands in November 2026. */
const times = [
  "2026-11-21T12:00:00Z",
  "2020-02-29T23:59:59.999Z",
  "2026-12-24T18:00:00+01:00",
  "2028-02-29T00:00:00.123456789-23:59",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00Z",
  "0000-01-01T00:00:00+23:59",
  "9999-12-31T23:59:59-23:59",
] as const;

function integerFor(schema: Schema): fc.Arbitrary<Json> {
  const { minimum = -1_000, maximum = 1_000 } = schema as { minimum?: number; maximum?: number };
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }),
    fc.constantFrom(minimum, maximum),
  );
}
