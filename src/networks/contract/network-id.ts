import * as z from "zod";

/** Names for editors and documents. A network that is not listed works all the same. */
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
 * A network's name in requests and in storage: a known one, or the name of a host's own network. 1 to 32 lower-case
 * letters, digits and underscores, beginning with a letter. The service's registry says which networks exist. (With
 * `string` alone, editors would suggest no name.)
 */
export type NetworkId = (typeof knownNetworks)[number] | (string & {});

/** The format of a network's id. */
export const networkIdPattern = /^[a-z][a-z0-9_]{0,31}$/;

/** A well-formed id, whether or not the network exists: rows outlive the networks of a service. */
export const networkId = z
  .string()
  .regex(networkIdPattern, "Must be the id of a network: lower-case letters, digits and underscores, such as bluesky.")
  .meta({ examples: [...knownNetworks] }) as z.ZodType<NetworkId, NetworkId>;
