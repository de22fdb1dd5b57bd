import { type Endpoint, endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** https://developers.facebook.com/docs/graph-api/overview (2026-09) */
const host = "graph.facebook.com";

/** The Graph API in the version that the host has chosen. */
export interface Api {
  /** As in addresses: `v26.0`. */
  version: string;
  /** The address of one route: `https://graph.facebook.com/v26.0/{steps joined by /}?…`. */
  endpoint: Endpoint;
}

export function createApi(version: string): Api {
  return { version, endpoint: endpointsBelow(`https://${host}/${version}`) };
}

export const { readAnswer, getAnswer } = answersOf("Facebook");

/** Facebook's own address, which some answers give without its host (unconfirmed). */
export function wholeAddress(address: string): string {
  return new URL(address, "https://www.facebook.com").href;
}
