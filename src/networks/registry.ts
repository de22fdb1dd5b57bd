import { z } from "zod";
import { SocialError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { NetworkAdapter } from "./adapter.ts";
import type { InboxAccess, MediaSpec, NetworkId, PostType } from "./spec.ts";

/** What a network accepts, as `social.networks.list()` shows it. */
export interface NetworkDescription {
  network: NetworkId;
  name: string;
  /** May posts go there? */
  publish: boolean;
  text: { max: number; unit: string; max_bytes: number | null; url_length: number | null };
  threads: boolean;
  media: MediaSpec;
  post_types: readonly PostType[];
  title: { max: number; required: boolean } | null;
  link_card: "field" | "from_text";
  /** The pass-through keys of `networks.<network>`, as JSON Schema. */
  options: JsonObject;
  /** What `profiles.connect` takes as `credentials`, as JSON Schema. */
  credentials: JsonObject;
  inbox: { dm: InboxAccess; comment: InboxAccess; mention: InboxAccess };
  /** What happens when an answer is lost. */
  duplicates: readonly string[];
  api_version: string;
  sunset_at: string | null;
}

export interface NetworkRegistry {
  get(network: NetworkId): NetworkAdapter | undefined;
  list(): NetworkDescription[];
}

/** @throws SocialError `internal_error` when a network is given twice */
export function createRegistry(adapters: readonly NetworkAdapter[]): NetworkRegistry {
  const byId = new Map<NetworkId, NetworkAdapter>();
  for (const adapter of adapters) {
    const { network } = adapter.spec;
    if (byId.has(network)) throw new SocialError("internal_error", `networks: ${network} is given twice.`);
    byId.set(network, adapter);
  }
  return {
    get: (network) => byId.get(network),
    list: () => [...byId.values()].map(describeNetwork),
  };
}

/** Generated from the data that validates and publishes. */
export function describeNetwork({ spec, options, connect, publish }: NetworkAdapter): NetworkDescription {
  const { network, name, threads, media, post_types, title, link_card, inbox, duplicates } = spec;
  return {
    network,
    name,
    publish: publish !== undefined,
    text: {
      max: spec.text.max,
      unit: spec.text.unit,
      max_bytes: spec.text.max_bytes ?? null,
      url_length: spec.text.url_length ?? null,
    },
    threads,
    media,
    post_types,
    title,
    link_card,
    options: z.toJSONSchema(options, { io: "input" }) as JsonObject,
    credentials: z.toJSONSchema(connect.credentials, { io: "input" }) as JsonObject,
    inbox,
    duplicates,
    api_version: spec.api_version,
    sunset_at: spec.sunset_at,
  };
}
