import { z } from "zod";
import type { Connector, NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { ErrorRow, ErrorTable } from "../../src/networks/contract/errors.ts";
import type { NetworkSpec } from "../../src/networks/contract/spec.ts";

/** A host that the fake network's own data names. */
export const ownHost = "api.network.example";

const spec: NetworkSpec = {
  network: "mastodon",
  name: "Example",
  text: { max: 500, unit: "graphemes" },
  threads: false,
  media: { max_items: 4, mixing: "any", types: [] },
  post_types: ["post"],
  title: null,
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: "1",
  versions: { "1": null },
  hosts: [ownHost],
  rules: [],
  sources: {},
};

const errorBody = z
  .object({ error: z.object({ code: z.string().nullish(), message: z.string() }) })
  .transform(({ error }) => ({ codes: error.code == null ? [] : [error.code], message: error.message }));

/** A row with defaults for all that a test is not about. */
export function errorRow(given: Partial<ErrorRow> = {}): ErrorRow {
  const row = { as: "rejected_by_network", message: "Refused.", source: "https://docs.example (2026-11)" };
  return { ...row, effect: "none", ...given } as ErrorRow;
}

export function errorTable(...rows: ErrorRow[]): ErrorTable {
  return {
    body: errorBody,
    rows,
    rateLimitEnd({ headers }, now) {
      const seconds = headers.get("retry-after");
      return seconds === null ? null : now + Number(seconds) * 1000;
    },
  };
}

/** 401: the credentials must be renewed. */
const expired = errorRow({
  status: 401,
  as: "reauthentication_required",
  effect: "later",
  remedy: "refresh",
});

/** A network that exists only here: bearer tokens, one error table, no sandbox. */
export function fakeAdapter(
  connect: Partial<Connector> = {},
  errors: ErrorTable = errorTable(expired),
): NetworkAdapter {
  return {
    spec,
    options: z.strictObject({}),
    errors,
    connect: {
      credentials: z.record(z.string(), z.json()),
      login: async () => {
        throw new Error("nobody logs in here");
      },
      inspect: async () => {
        throw new Error("nobody looks in here");
      },
      sign: (request, { secret }) => ({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${secret.access}` },
      }),
      ...connect,
    },
  };
}
