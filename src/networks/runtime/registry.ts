import * as z from "zod";
import { describeValue } from "../../wire/describe-value.ts";
import { SocialError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import { hintFor, listed } from "../../wire/nearest.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { type NetworkId, networkIdPattern } from "../contract/network-id.ts";
import { postsQuota } from "./budgets.ts";
import { accessOfNetwork } from "./inbox-access.ts";
import { readableAdapter } from "./readable.ts";
import type { NetworkDescription } from "./schema.ts";

export interface NetworkRegistry {
  get(network: NetworkId): NetworkAdapter | undefined;
  /**
   * The error message for a network that the service does not have. Null: the service has it. Only this function
   * decides which networks a request may name.
   */
  refusalOf(given: unknown): string | null;
  list(): NetworkDescription[];
}

/** @throws SocialError `invalid_options` for a malformed network id, and for a network that is listed twice */
export function createRegistry(adapters: readonly NetworkAdapter[]): NetworkRegistry {
  const byId = new Map<NetworkId, NetworkAdapter>();
  for (const adapter of adapters) {
    const { network } = adapter.spec;
    if (!networkIdPattern.test(network)) throw malformedId(network);
    if (byId.has(network)) throw new SocialError("invalid_options", `networks: ${network} is listed twice.`);
    byId.set(network, readableAdapter(adapter));
  }
  /** Created at the first call, because schemas take a while. Each caller gets a copy. */
  let described: NetworkDescription[] | undefined;
  return {
    get: (network) => byId.get(network),
    refusalOf: (given) => (byId.has(given as NetworkId) ? null : refusalOf(given, [...byId.keys()])),
    list() {
      described ??= [...byId.values()].map(describeNetwork);
      return structuredClone(described);
    },
  };
}

function malformedId(network: string): SocialError {
  const right = "1 to 32 lower-case letters, digits and underscores, starting with a letter";
  return new SocialError(
    "invalid_options",
    `networks: A network's id (spec.network) must be ${right}, not ${describeValue(network)}.`,
  );
}

function refusalOf(given: unknown, names: readonly NetworkId[]): string {
  if (names.length === 0) return "The service was created without any network.";
  if (given === undefined) return `Missing: must be one of ${listed(names, "or")}.`;
  if (typeof given !== "string") return `Must be one of ${listed(names, "or")}, not ${describeValue(given)}.`;
  return `The service has no such network${hintFor(given, names)}`;
}

/** Generated from the data that validates and publishes. */
export function describeNetwork(adapter: NetworkAdapter): NetworkDescription {
  const { spec, options, choices, connect, publish } = adapter;
  const { hosts: _hosts, headers: _headers, rules: _rules, takenFromText: _taken, sources: _sources, ...rest } = spec;
  const { budgets: _budgets, ...shown } = { ...rest, app_quota: postsQuota(spec) };
  const { text, comment, variants, versions, cost, app_quota, option_files, link_picture }: Shown<typeof shown> = shown;
  const { max_bytes = null, url_length = null, bare_mentions = false } = text;
  return {
    ...shown,
    publish: publish !== undefined,
    text: { ...text, max_bytes, url_length, bare_mentions },
    option_files: option_files ?? {},
    link_picture: link_picture ?? [],
    comment: comment ?? null,
    inbox: accessOfNetwork(adapter),
    variants: variants ?? [],
    sunset_at: versions[shown.api_version] ?? null,
    cost: cost ?? [],
    app_quota,
    options: z.toJSONSchema(options, { io: "input" }) as JsonObject,
    choices: Object.keys(choices ?? {}),
    credentials: z.toJSONSchema(connect.credentials, { io: "input" }) as JsonObject,
    login:
      connect.browser === undefined ? null : (z.toJSONSchema(connect.browser.input, { io: "input" }) as JsonObject),
  };
}

/** Does not compile if `networkSchema` lacks a field of the spec, so no field is forgotten. */
type Shown<Spec> = { [Key in keyof Spec]: Key extends keyof NetworkDescription ? Spec[Key] : never };
