import type * as z from "zod";
import type { NetworkResponse } from "../contract/request.ts";
import { graphAddress, readGraphAnswer } from "../shared/meta/graph.ts";

/** https://developers.facebook.com/docs/graph-api/overview (2026-09) */
const host = "graph.facebook.com";

/** The Graph API in the version that the host has chosen. */
export interface Api {
  /** As in addresses: `v26.0`. */
  version: string;
  /** The address of one route: `https://graph.facebook.com/v26.0/{steps joined by /}?…`. */
  endpoint(steps: readonly string[], parameters?: Readonly<Record<string, string>>): string;
}

export function createApi(version: string): Api {
  return { version, endpoint: (steps, parameters) => graphAddress({ host, version }, steps, parameters) };
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  return readGraphAnswer("Facebook", schema, response);
}

/** Facebook's own address, which some answers give without its host (unconfirmed). */
export function wholeAddress(address: string): string {
  return new URL(address, "https://www.facebook.com").href;
}
