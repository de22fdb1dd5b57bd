/** Where requests go: paths and queries from the document, and bent ones. */
import fc from "fast-check";
import type { Json } from "../../src/wire/json.ts";
import { basePath, type Operation } from "./fuzz-document.ts";
import { type Pools, valueFor } from "./fuzz-values.ts";

export interface Drawn {
  text: string;
  isIntact: boolean;
}

const hostileSteps = [
  "%00",
  "%",
  "%zz",
  "%ff%fe",
  "%ed%a0%80",
  "..%2f..%2f",
  "%2e%2e",
  ".",
  "a/b",
  "👍",
  "null",
  "__proto__",
  "x".repeat(3_000),
  "post_%00",
  " ",
  ";",
  "validate",
  "connect",
];

export function pathFor({ path, parameters }: Operation, pools: Pools): fc.Arbitrary<Drawn> {
  const own = parameters.filter((each) => each.in === "path");
  const steps = own.map(({ schema, name }) =>
    fc.record({ id: valueFor(schema, name, pools), hostile: sparsely(fc.constantFrom(...hostileSteps), 10) }),
  );
  return fc
    .record({ steps: fc.tuple(...steps), bend: sparsely(fc.constantFrom<(path: string) => string>(...bends), 3) })
    .map(({ steps: given, bend }) => {
      const texts = given.map(({ id, hostile }) => hostile ?? encodeURIComponent(String(id)));
      const filled = basePath + path.replaceAll(/\{\w+\}/g, () => texts.shift() ?? "");
      const isIntact = bend === null && given.every(({ hostile, id }) => hostile === null && !isDots(String(id)));
      return { text: bend === null ? filled : bend(filled), isIntact };
    });
}

/** Such a step is resolved before anything is sent: the request is another one. */
function isDots(step: string): boolean {
  return step === "." || step === "..";
}

const bends: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.replace("/v1", "//v1"),
  (path) => path.replace("/v1", "/V1"),
  (path) => path.replace("/v1", "/v1/%2e%2e/v1"),
  (path) => path.slice(basePath.length),
  (path) => `${path}%00`,
  (path) => path.replace(basePath, `${basePath}x`),
  () => "/",
  () => `${basePath}/v1/openapi.json`,
];

/** The first of them oftener. */
const hostileTexts = [
  ...["%00", "a%00b", "%00", "a%00b", "%ED%A0%80", "%ED%A0%80"],
  "%",
  "",
  "-1",
  "0",
  "101",
  "1e1",
  "9007199254740993",
  "published,",
  ",",
  "null",
  "yesterday",
  "2026-02-30T00:00:00Z",
  "👍",
  "x".repeat(8_000),
];

const hostileQueries = [
  "__proto__=1",
  "constructor=1",
  "toString=",
  "limit[]=1",
  "limit=1&limit=2",
  "limit=1;offset=2",
  "LIMIT=1",
  "%",
  "&&&",
  "=",
  "x",
  "?",
];

/** Names of the operation's own, with what they do not take; or what no operation takes. */
function hostileQuery(names: readonly string[]): fc.Arbitrary<string> {
  const stray = fc.constantFrom(...hostileQueries);
  if (names.length === 0) return stray;
  const own = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...hostileTexts));
  return fc.oneof(
    { weight: 3, arbitrary: own.map(([name, text]) => `${name}=${text}`) },
    { weight: 1, arbitrary: stray },
  );
}

export function queryFor({ parameters }: Operation, pools: Pools): fc.Arbitrary<Drawn> {
  const own = parameters.filter((each) => each.in === "query");
  const names = own.map(({ name }) => name);
  const drawn = own.map(({ name, schema, required }) =>
    sparsely(
      valueFor(schema, name, pools).map((value) => pair(name, value)),
      required === true ? 90 : 30,
    ),
  );
  return fc
    .record({ pairs: fc.tuple(...drawn), hostile: sparsely(hostileQuery(names), own.length === 0 ? 3 : 35) })
    .map(({ pairs, hostile }) => {
      const given = [...pairs, hostile].filter((each) => each !== null);
      // An empty list has no spelling in a query: it reads as a list of one empty text.
      const isWhole = own.every(({ required }, index) => required !== true || pairs[index] !== null);
      const isIntact = isWhole && hostile === null && !given.some((each) => each.endsWith("="));
      return { text: given.length === 0 ? "" : `?${given.join("&")}`, isIntact };
    });
}

function pair(name: string, value: Json): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(Array.isArray(value) ? value.join(",") : String(value))}`;
}

/** Mostly null. */
export function sparsely<Value>(arbitrary: fc.Arbitrary<Value>, percent: number): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(null) }, { weight: percent, arbitrary });
}
