import { type Endpoint, endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** https://developers.facebook.com/docs/graph-api/overview (2026-09) */
const host = "graph.facebook.com";

/** The Graph API in the chosen version. */
export interface Api {
  /** The version in URLs: `v26.0`. */
  version: string;
  /** The URL of a route: `https://graph.facebook.com/v26.0/{steps joined by /}?…`. */
  endpoint: Endpoint;
}

export function createApi(version: string): Api {
  return { version, endpoint: endpointsBelow(`https://${host}/${version}`) };
}

export const { readAnswer, getAnswer } = answersOf("Facebook");

/** Completes a URL of Facebook's site that a response gives without the host (unconfirmed). */
export function wholeAddress(address: string): string {
  return new URL(address, "https://www.facebook.com").href;
}
