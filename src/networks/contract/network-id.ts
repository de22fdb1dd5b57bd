import * as z from "zod";

/** Names that editors offer and documents show. A network needs no place in here to be used. */
export const knownNetworks = [
  "facebook",
  "instagram",
  "x",
  "linkedin",
  "pinterest",
  "bluesky",
  "threads",
  "tiktok",
  "youtube",
  "google_business",
  "mastodon",
  "discord",
  "twitch",
] as const;

/**
 * What a network is called in requests and in storage: one of those that are
 * known, or the name of a host's own. 1 to 32 small letters, digits and
 * underscores, a letter first. Which of them exist, the service's registry says.
 * (With `string` alone, editors would offer no name.)
 */
export type NetworkId = (typeof knownNetworks)[number] | (string & {});

/** What an id of a network looks like. */
export const networkIdPattern = /^[a-z][a-z0-9_]{0,31}$/;

/** A well-formed id, whether there is such a network or not: rows outlive the networks that a service is given. */
export const networkId = z
  .string()
  .regex(networkIdPattern, "Must be the id of a network: lower-case letters, digits and underscores, such as bluesky.")
  .meta({ examples: [...knownNetworks] }) as z.ZodType<NetworkId, NetworkId>;
