import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** Posts are of v4 still, accounts and locations of v1. https://developers.google.com/my-business/reference/rest (2026-09) */
export const apiVersion = "v4";

export const apiHosts = {
  posts: "mybusiness.googleapis.com",
  accounts: "mybusinessaccountmanagement.googleapis.com",
  locations: "mybusinessbusinessinformation.googleapis.com",
} as const;

type Parameters = Readonly<Record<string, string>>;

/** `https://mybusiness.googleapis.com/v4/{name}`: `accounts/1/locations/2/localPosts`. */
export function postsEndpoint(name: string, parameters: Parameters = {}): string {
  return addressOf(`https://${apiHosts.posts}/${apiVersion}/${name}`, parameters);
}

export function accountsEndpoint(parameters: Parameters): string {
  return addressOf(`https://${apiHosts.accounts}/v1/accounts`, parameters);
}

/** `accounts/1/locations`, or `locations/2`. */
export function locationsEndpoint(name: string, parameters: Parameters): string {
  return addressOf(`https://${apiHosts.locations}/v1/${name}`, parameters);
}

function addressOf(base: string, parameters: Parameters): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** @throws PublishingError `network_error` when a success does not hold what its method promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of Google's could not be read.");
}
