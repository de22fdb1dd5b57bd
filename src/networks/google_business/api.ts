import { type Parameters, withParameters } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/**
 * Posts are still in v4; accounts and locations are in v1. https://developers.google.com/my-business/reference/rest
 * (2026-09)
 */
export const apiVersion = "v4";

export const apiHosts = {
  posts: "mybusiness.googleapis.com",
  accounts: "mybusinessaccountmanagement.googleapis.com",
  locations: "mybusinessbusinessinformation.googleapis.com",
} as const;

/** `https://mybusiness.googleapis.com/v4/{name}`: `accounts/1/locations/2/localPosts`. */
export function postsEndpoint(name: string, parameters: Parameters = {}): string {
  return withParameters(`https://${apiHosts.posts}/${apiVersion}/${name}`, parameters);
}

export function accountsEndpoint(parameters: Parameters): string {
  return withParameters(`https://${apiHosts.accounts}/v1/accounts`, parameters);
}

/** `accounts/1/locations`, or `locations/2`. */
export function locationsEndpoint(name: string, parameters: Parameters): string {
  return withParameters(`https://${apiHosts.locations}/v1/${name}`, parameters);
}

export const { readAnswer, getAnswer } = answersOf("Google");
