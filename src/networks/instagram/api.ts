import type * as z from "zod";
import type { NetworkResponse } from "../contract/request.ts";
import { graphAddress, readGraphAnswer } from "../shared/meta/graph.ts";
import type { Flavour } from "./known.ts";

/** Each login has its own host. https://developers.facebook.com/docs/instagram-platform/overview (2026-09) */
const graphHosts: Readonly<Record<Flavour, string>> = {
  instagram: "graph.instagram.com",
  facebook: "graph.facebook.com",
};

/** The Graph API in the version that the host has chosen. */
export interface Api {
  /** As in addresses: `v26.0`. */
  version: string;
  /** The address of one route: `https://graph.instagram.com/v26.0/{steps joined by /}?…`. */
  endpoint(flavour: Flavour, steps: readonly string[], parameters?: Readonly<Record<string, string>>): string;
}

export function createApi(version: string): Api {
  return {
    version,
    endpoint: (flavour, steps, parameters) => graphAddress({ host: graphHosts[flavour], version }, steps, parameters),
  };
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  return readGraphAnswer("Instagram", schema, response);
}
