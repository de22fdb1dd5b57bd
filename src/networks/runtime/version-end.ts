import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { NetworkSpec } from "../contract/spec.ts";

const dayMs = 86_400_000;
const warnDays = 90;

/**
 * Logs which networks are used with an API version that ends within 90 days (a
 * warning) or has ended (an error): at once, and then whenever the returned
 * function is called, at most once a day.
 */
export function watchApiVersions(ports: { specs: readonly NetworkSpec[]; clock: Clock; logger: Logger }): () => void {
  const { specs, clock, logger } = ports;
  let checkedMs = clock.monotonic();
  const check = (): void => {
    checkedMs = clock.monotonic();
    for (const spec of specs) logEnd(spec, clock.now(), logger);
  };
  check();
  return () => {
    if (clock.monotonic() - checkedMs >= dayMs) check();
  };
}

function logEnd({ network, api_version, versions }: NetworkSpec, now: number, logger: Logger): void {
  const endsOn = versions[api_version] ?? null;
  if (endsOn === null) return;
  const leftMs = Date.parse(endsOn) - now;
  if (leftMs > warnDays * dayMs) return;
  const facts = { network, api_version, ends_on: endsOn, known: Object.keys(versions) };
  const remedy = "set a later apiVersion for the network, or update postrider";
  if (leftMs > 0) logger.warn(`the API version ${api_version} of ${network} ends on ${endsOn}: ${remedy}`, facts);
  else logger.error(`the API version ${api_version} of ${network} ended on ${endsOn}: ${remedy}`, facts);
}
