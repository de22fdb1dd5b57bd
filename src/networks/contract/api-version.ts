import { describeValue } from "../../wire/describe-value.ts";
import { SocialError } from "../../wire/errors.ts";
import type { NetworkSpec } from "./spec.ts";

/**
 * The spec for the API version that a host gave as the adapter's setting
 * `apiVersion`; undefined: the spec's own.
 *
 * @throws SocialError `invalid_options` naming `apiVersion`, for a version that the spec does not list
 * @example
 * spec: withApiVersion(limits, settings.apiVersion)
 */
export function withApiVersion<Spec extends NetworkSpec>(spec: Spec, apiVersion: string | undefined): Spec {
  if (apiVersion === undefined) return spec;
  if (typeof apiVersion === "string" && Object.hasOwn(spec.versions, apiVersion))
    return { ...spec, api_version: apiVersion };
  const known = Object.keys(spec.versions).map((version) => `"${version}"`);
  const message = `Must be ${known.join(" or ")}, not ${describeValue(apiVersion)}.`;
  throw new SocialError("invalid_options", `${spec.network}: invalid options.`, {
    details: [{ field: "apiVersion", code: "invalid_request", message }],
  });
}
