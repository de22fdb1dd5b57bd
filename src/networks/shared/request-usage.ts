import type { RequestUsage } from "../contract/inbox.ts";

/**
 * Reads the headers of a rate limit window, such as `ratelimit-limit`, `-remaining` and `-reset`.
 *
 * @param given.timeOf parses when the window ends, milliseconds; NaN: unreadable
 */
export function usageOfWindow(
  headers: Headers,
  { prefix, timeOf }: { prefix: string; timeOf(reset: string): number },
): RequestUsage | null {
  const [limit, remaining, until] = [
    Number(headers.get(`${prefix}limit`) ?? Number.NaN),
    Number(headers.get(`${prefix}remaining`) ?? Number.NaN),
    timeOf(headers.get(`${prefix}reset`) ?? ""),
  ];
  const isTold = limit > 0 && remaining >= 0 && Number.isFinite(until);
  return isTold ? { share: Math.max(0, 1 - remaining / limit), until } : null;
}
