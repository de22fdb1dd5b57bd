/** What a careless or hostile client does to a good request. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/wire/json.ts";

/** One change of a JSON value: at which of its places, and what is there afterwards. */
interface Damage {
  place: number;
  kind: "replace" | "remove" | "add" | "double";
  key: string;
  value: Json;
}

/** Values that fit nowhere, or only seem to fit. */
const hostileValues: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "a\0b",
  "\ud800",
  "x\udfff",
  "👍",
  "null",
  "[object Object]",
  "__proto__",
  "../../etc/passwd",
  "http://",
  "javascript:alert(1)",
  "http://169.254.169.254/latest",
  "2026-02-30T00:00:00Z",
  "2026-11-21",
  "2026-11-21T12:00:60Z",
  "x".repeat(301),
  "x".repeat(20_001),
  "👍".repeat(10_001),
  [],
  {},
  [[]],
  [null],
  { url: null },
  Array.from({ length: 51 }, () => "x"),
  nested(31),
  nested(40),
  nested(300),
];

const hostileKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "",
  "a\0",
  "\ud800",
  "profile_id",
  "id",
  "account_id",
  "status",
  "private",
  "x".repeat(5_000),
] as const;

function nested(depth: number): Json {
  let value: Json = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

export const damage: fc.Arbitrary<Damage> = fc.record({
  place: fc.nat(40),
  kind: fc.constantFrom("replace", "replace", "remove", "add", "double"),
  key: fc.constantFrom(...hostileKeys),
  value: fc.constantFrom(...hostileValues),
});

/** The value with one place changed; place 0 is the value itself, where only a key can be added. */
export function damaged(root: Json, { place, kind, key, value }: Damage): Json {
  const copy = structuredClone(root);
  const places = placesIn(copy);
  if (kind === "add") {
    const objects = [copy, ...places.map(({ holder, at }) => (holder as JsonObject)[at])].filter(isPlainObject);
    const object = objects[place % Math.max(1, objects.length)];
    if (object !== undefined) defineField(object, key, value);
    return copy;
  }
  const chosen = places[place % Math.max(1, places.length)];
  if (chosen === undefined) return copy;
  const { holder, at } = chosen;
  if (kind === "remove") remove(holder, at);
  else if (kind === "double" && Array.isArray(holder)) holder.push(structuredClone(holder[Number(at)] as Json));
  else defineField(holder, at, value);
  return copy;
}

interface Place {
  holder: Json[] | JsonObject;
  at: string;
}

function placesIn(root: Json): Place[] {
  const places: Place[] = [];
  const open: Json[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [at, inner] of Object.entries(next)) {
      places.push({ holder: next as Json[] | JsonObject, at });
      if (inner !== undefined) open.push(inner);
    }
  }
  return places;
}

function isPlainObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also `__proto__`, which an assignment would swallow. */
function defineField(holder: object, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove(holder: Json[] | JsonObject, at: string): void {
  if (Array.isArray(holder)) holder.splice(Number(at), 1);
  else delete holder[at];
}

/** A body's text on its way to the wire. `same`: as it is. */
export const textDamages = {
  same: (text: string): Uint8Array => Buffer.from(text),
  cut: (text) => Buffer.from(text.slice(0, Math.floor(text.length / 2))),
  trailing: (text) => Buffer.from(`${text}}`),
  bom: (text) => Buffer.from(`\ufeff${text}`),
  notUtf8: (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc0, 0xaf])]),
  surrogateBytes: (text) =>
    Buffer.concat([Buffer.from(`{"text":"`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from(`"}${text}`)]),
  empty: () => Buffer.alloc(0),
  null: () => Buffer.from("null"),
  list: (text) => Buffer.from(`[${text}]`),
  text: () => Buffer.from('"text"'),
  nan: () => Buffer.from('{"profile_ids":[NaN]}'),
  infinite: () => Buffer.from('{"profile_ids":["x"],"networks":{"discord":{"a":1e999}}}'),
  twice: (text) => Buffer.from(text.replace("{", '{"text":"first",')),
  deep: () => Buffer.from(`{"networks":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  many: () => Buffer.from(`{"profile_ids":[${'"",'.repeat(30_000)}""]}`),
  huge: (text) => Buffer.from(text.padEnd(1_048_577)),
  full: (text) => Buffer.from(text.padEnd(1_048_576)),
  form: () => Buffer.from("text=hello&profile_ids=x"),
} satisfies Record<string, (text: string) => Uint8Array>;

export type TextDamage = keyof typeof textDamages;
