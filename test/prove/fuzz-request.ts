/** Requests made from the document: good ones, and damaged ones. Plain data, so that a failing one can be printed. */
import fc from "fast-check";
import type { Json } from "../../src/wire/json.ts";
import { pathFor, queryFor, sparsely } from "./fuzz-address.ts";
import { damage, damaged, type TextDamage, textDamages } from "./fuzz-damage.ts";
import { type Operation, operations } from "./fuzz-document.ts";
import { type Pools, valueFor } from "./fuzz-values.ts";
import { type Account, type CallerName, type FuzzWorld, sharedKey } from "./fuzz-world.ts";

export interface FuzzRequest {
  /** The operation that it was made from, which damage may turn into another or none. */
  operationId: string;
  method: string;
  /** With the query, as it goes out. */
  path: string;
  /** Null: the header Authorization is `authorization`, which is no key. */
  caller: CallerName | null;
  authorization: string | null;
  headers: [string, string][];
  /** Undefined: none. */
  body?: Json;
  bodyDamage: TextDamage;
  /** How the body comes: at once, in pieces, or breaking off. */
  transfer: "whole" | "pieces" | "breaks";
  /** Nothing but perhaps the body's JSON was damaged. */
  isIntact: boolean;
}

/** Two requests of one client, one after the other or side by side. */
export interface FuzzCase {
  first: FuzzRequest;
  /** `same`: the first once more. */
  second: FuzzRequest | "same";
  atOnce: boolean;
}

/** Posts and their list are where most can go wrong, and a world without profiles refuses them all. */
const weightOf: Readonly<Record<string, number>> = {
  createPost: 20,
  updatePost: 10,
  listPosts: 8,
  disconnectProfile: 1,
  cancelPost: 2,
  deleteWebhook: 1,
};

export function fuzzCases(world: FuzzWorld): fc.Arbitrary<FuzzCase> {
  const pools = poolsOf(world);
  const request = fc.oneof(
    ...operations.map((operation) => ({
      weight: weightOf[operation.operationId] ?? 4,
      arbitrary: requestFor(operation, pools),
    })),
  );
  return fc.record({
    first: request,
    second: fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: fc.constant("same" as const) },
      { weight: 4, arbitrary: request },
    ),
    atOnce: fc.nat(4).map((number) => number === 0),
  });
}

function poolsOf(world: FuzzWorld): Pools {
  const { profileIds, postIds, webhookIds, deliveryIds, receivers, credentials } = world;
  const oursOften = (ids: Record<Account, string[]>, none: string): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...ids.ours) },
      { weight: 1, arbitrary: fc.constantFrom(...ids.theirs, none) },
    );
  const unknown = `prof_${"9".repeat(26)}`;
  const profileId = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...profileIds.ours.slice(0, -1)) },
    { weight: 1, arbitrary: fc.constantFrom(...profileIds.ours.slice(-1), ...profileIds.theirs, unknown) },
  );
  const key = fc.constantFrom("article-4711", "article-4712", "kurz-key", sharedKey, "k".repeat(255), "schlüssel");
  return {
    profile_ids: fc.uniqueArray(profileId, { minLength: 1, maxLength: 3 }),
    profile_id: profileId,
    profileId,
    postId: oursOften(postIds, unknown),
    webhookId: oursOften(webhookIds, unknown),
    deliveryId: oursOften(deliveryIds, unknown),
    receiver: fc.constantFrom(...receivers),
    idempotency_key: fc.oneof(key, fc.constant(null)),
    "Idempotency-Key": key,
    credentials: fc.oneof(
      fc.constantFrom(...credentials.map((each) => each.credentials)),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>, { maxKeys: 3 }),
    ),
  };
}

const sometimes = (percent: number): fc.Arbitrary<boolean> => fc.nat(99).map((number) => number < percent);

/** Mostly addresses that deliveries can go to. */
function withReceivers({ path }: Operation, pools: Pools): Pools {
  const { receiver } = pools;
  if (receiver === undefined || !path.startsWith("/v1/webhooks")) return pools;
  return { ...pools, url: fc.oneof({ weight: 4, arbitrary: receiver }, { weight: 1, arbitrary: fc.string() }) };
}

function requestFor(operation: Operation, allPools: Pools): fc.Arbitrary<FuzzRequest> {
  const { body } = operation;
  const pools = withReceivers(operation, allPools);
  const value = body === null ? fc.constant(undefined) : valueFor(body.schema, "", pools);
  return fc
    .record({
      path: pathFor(operation, pools),
      query: queryFor(operation, pools),
      headers: headersFor(operation, pools),
      value,
      bodyless: sometimes(body?.isRequired === false ? 50 : 0),
      damages: sparsely(fc.array(damage, { minLength: 1, maxLength: 2 }), 35),
      caller: caller,
      method: sparsely(fc.constantFrom("HEAD", "PUT", "DELETE", "PATCH", "POST", "GET", "OPTIONS", "PURGE", "LINK"), 5),
      type: sparsely(fc.constantFrom(...contentTypes), 6),
      bodyDamage: sparsely(fc.constantFrom(...(Object.keys(textDamages) as TextDamage[])), 8),
      transfer: sparsely(fc.constantFrom("pieces" as const, "breaks" as const), 5),
      stray: sparsely(fc.constantFrom(...strayHeaders), 10),
    })
    .map((drawn) => {
      const isBodied = drawn.value !== undefined && !drawn.bodyless;
      const whole: Json | undefined = isBodied ? drawn.value : undefined;
      const damagedBody = whole === undefined ? undefined : (drawn.damages ?? []).reduce(damaged, whole);
      const type = drawn.type ?? "application/json";
      return {
        operationId: operation.operationId,
        method: drawn.method ?? operation.method,
        path: drawn.path.text + drawn.query.text,
        ...drawn.caller,
        headers: [
          ...drawn.headers.entries,
          ...(isBodied && type !== "" ? [["Content-Type", type] as [string, string]] : []),
          ...(drawn.stray ?? []).map(([name, text]): [string, string] => [name, text]),
        ],
        ...(damagedBody === undefined ? {} : { body: damagedBody }),
        bodyDamage: drawn.bodyDamage ?? "same",
        transfer: drawn.transfer ?? "whole",
        isIntact:
          drawn.path.isIntact &&
          drawn.query.isIntact &&
          drawn.headers.isIntact &&
          drawn.method === null &&
          drawn.type === null &&
          drawn.bodyDamage === null &&
          drawn.transfer !== "breaks" &&
          drawn.stray === null,
      };
    });
}

const caller: fc.Arbitrary<Pick<FuzzRequest, "caller" | "authorization">> = fc.oneof(
  { weight: 80, arbitrary: fc.constant({ caller: "ours" as const, authorization: null }) },
  {
    weight: 12,
    arbitrary: fc
      .constantFrom("theirs" as const, "readOnly" as const, "inboxOnly" as const, "revoked" as const, "spent" as const)
      .map((name) => ({ caller: name, authorization: null })),
  },
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer service_live_",
        `Bearer service_live_${"A".repeat(49)}`,
        "Bearer a b",
        `Bearer ${"x".repeat(9_000)}`,
      )
      .map((authorization) => ({ caller: null, authorization })),
  },
);

const contentTypes = [
  "",
  "text/plain",
  "application/json; charset=utf-16",
  "application/vnd.api+json",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/jsonx",
  'APPLICATION/JSON;x="y"',
];

const strayHeaders: [string, string][][] = [
  [["Cookie", "session=1"]],
  [
    ["Cookie", "session=1"],
    ["Origin", "https://evil.example"],
  ],
  [["X-HTTP-Method-Override", "DELETE"]],
  [["Content-Length", "99999999999"]],
  [["Content-Length", "-1"]],
  [["Idempotency-Key", "short"]],
  [["Idempotency-Key", "k".repeat(256)]],
  [["Accept", "text/html"]],
  [["Content-Encoding", "gzip"]],
];

function headersFor(
  { parameters }: Operation,
  pools: Pools,
): fc.Arbitrary<{ entries: [string, string][]; isIntact: boolean }> {
  const drawn = parameters
    .filter((each) => each.in === "header")
    .map(({ name, schema }) =>
      sparsely(
        valueFor(schema, name, pools).map((value): [string, string] => [name, String(value)]),
        30,
      ),
    );
  return fc.tuple(...drawn).map((entries) => ({ entries: entries.filter((each) => each !== null), isIntact: true }));
}
