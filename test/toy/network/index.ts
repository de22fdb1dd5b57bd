import type { NetworkAdapter } from "../contract/adapter.ts";
import { withApiVersion } from "../contract/api-version.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { connector } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

export interface ToySettings {
  /** The API version that requests name. @default "2026-11" */
  apiVersion?: keyof typeof limits.versions | undefined;
}

/**
 * Toy: a network that exists only here, for the test that adds it.
 *
 * @throws SocialError `invalid_options` naming a setting that is wrong
 * @see https://toy.example/docs
 * @example
 * createSocialService({ storage, networks: [toy()] });
 */
export function toy({ apiVersion }: ToySettings = {}): NetworkAdapter {
  const spec = withApiVersion<NetworkSpec>(limits, apiVersion);
  const headers = { "toy-version": spec.api_version };
  return { spec: { ...spec, headers }, options, errors, connect: connector, publish: publisher };
}
