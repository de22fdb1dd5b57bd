import * as z from "zod";
import type { NetworkRequest } from "../contract/request.ts";
import { type Endpoint, endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/**
 * Ids are too large for numbers or contain letters, so they stay strings.
 * https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/urns (2026-08)
 */
export const organizationUrn = z
  .string()
  .regex(/^urn:li:organization:\d{1,19}$/, "An organisation: urn:li:organization: and digits.");
/**
 * A post has one of the two types. Both can be read and deleted.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08)
 */
export const postUrn = z.string().regex(/^urn:li:(?:share|ugcPost):\d{1,19}$/, "A post: urn:li:share:… .");

/** A request's URL, with the headers that select the API version. */
export type Addressed = Required<Pick<NetworkRequest, "url" | "headers">>;

/** One version of the API. */
export interface Api {
  /** Returns the URL `https://api.linkedin.com/rest/{steps joined by /}?…` with its headers. */
  rest(...route: Parameters<Endpoint>): Addressed;
}

/** URNs are percent-encoded in paths and in queries. https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/urns (2026-08) */
const rest = endpointsBelow("https://api.linkedin.com/rest");
const v2 = endpointsBelow("https://api.linkedin.com/v2");

/**
 * LinkedIn rejects a request without a version, or with one that has ended.
 * https://learn.microsoft.com/en-us/linkedin/marketing/versioning (2026-08)
 */
export function createApi(version: string): Api {
  const headers = { "linkedin-version": version, "x-restli-protocol-version": "2.0.0" };
  return {
    rest: (...route) => ({ url: rest(...route), headers }),
  };
}

/**
 * The endpoints about the signed-in member have no versions.
 * https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08)
 */
export function unversioned(step: "userinfo" | "me"): string {
  return v2([step]);
}

/**
 * The URL of the data about an organisation's logo. The brackets are not encoded.
 * https://github.com/gitroomhq/postiz-app, linkedin.page.provider.ts (2026-08)
 */
export function logoAddress(id: string): string {
  return `${v2(["organizations", id])}?projection=(logoV2(original~:playableStreams))`;
}

/** The post's page for readers. https://github.com/gitroomhq/postiz-app, linkedin.provider.ts (2026-08) */
export function permalink(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}

export const { readAnswer } = answersOf("LinkedIn");
