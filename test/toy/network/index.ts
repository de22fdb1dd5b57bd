import type { NetworkAdapter } from "../contract/adapter.ts";
import { connector } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/**
 * Toy: a network that exists only here, for the test that adds it.
 *
 * @see https://toy.example/docs
 * @example
 * createSocialService({ storage, networks: [toy()] });
 */
export function toy(): NetworkAdapter {
  return { spec: limits, options, errors, connect: connector, publish: publisher };
}
