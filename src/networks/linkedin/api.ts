import * as z from "zod";
import type { NetworkRequest } from "../contract/request.ts";
import { type Endpoint, endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** Large numbers and letters, so ids stay text. https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/urns (2026-08) */
export const organizationUrn = z
  .string()
  .regex(/^urn:li:organization:\d{1,19}$/, "An organisation: urn:li:organization: and digits.");
/** A post is one of the two; both can be read and deleted. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
export const postUrn = z.string().regex(/^urn:li:(?:share|ugcPost):\d{1,19}$/, "A post: urn:li:share:… .");

/** Where a request goes, and what tells LinkedIn how to read it. */
export type Addressed = Required<Pick<NetworkRequest, "url" | "headers">>;

/** The API in one version. */
export interface Api {
  /** `https://api.linkedin.com/rest/{steps joined by /}?…` */
  rest(...route: Parameters<Endpoint>): Addressed;
}

/** Names are percent-encoded on a path as in a query. https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/urns (2026-08) */
const rest = endpointsBelow("https://api.linkedin.com/rest");
const v2 = endpointsBelow("https://api.linkedin.com/v2");

/** A request without a version, or with a dead one, is refused. https://learn.microsoft.com/en-us/linkedin/marketing/versioning (2026-08) */
export function createApi(version: string): Api {
  const headers = { "linkedin-version": version, "x-restli-protocol-version": "2.0.0" };
  return {
    rest: (...route) => ({ url: rest(...route), headers }),
  };
}

/** What is read of the person who logs in has no versions. https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08) */
export function unversioned(step: "userinfo" | "me"): string {
  return v2([step]);
}

/** Where an organisation's logo is told. The brackets stand as they are. https://github.com/gitroomhq/postiz-app, linkedin.page.provider.ts (2026-08) */
export function logoAddress(id: string): string {
  return `${v2(["organizations", id])}?projection=(logoV2(original~:playableStreams))`;
}

/** A post as its readers open it. https://github.com/gitroomhq/postiz-app, linkedin.provider.ts (2026-08) */
export function permalink(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}

export const { readAnswer } = answersOf("LinkedIn");
