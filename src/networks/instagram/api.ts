import { type Endpoint, endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";
import type { Flavour } from "./known.ts";

/** Each login has its own host. https://developers.facebook.com/docs/instagram-platform/overview (2026-09) */
const graphHosts: Readonly<Record<Flavour, string>> = {
  instagram: "graph.instagram.com",
  facebook: "graph.facebook.com",
};

/** The Graph API in the chosen version. */
export interface Api {
  /** The version in URLs: `v26.0`. */
  version: string;
  /** The URL of a route: `https://graph.instagram.com/v26.0/{steps joined by /}?…`. */
  endpoint(flavour: Flavour, ...route: Parameters<Endpoint>): string;
}

export function createApi(version: string): Api {
  return {
    version,
    endpoint: (flavour, ...route) => endpointsBelow(`https://${graphHosts[flavour]}/${version}`)(...route),
  };
}

export const { readAnswer, getAnswer } = answersOf("Instagram");
