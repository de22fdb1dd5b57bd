import type { KyInstance } from "ky";

let loading: Promise<KyInstance> | null = null;

/**
 * Loads ky with the first request: ky and Node's `fetch`, which it initializes, take a quarter of the time of
 * importing this whole package.
 *
 * @throws if it cannot be loaded, for example while packages on the disk are being replaced; the next call retries
 */
export function loadKy(): Promise<KyInstance> {
  loading ??= import("ky").then(
    ({ default: ky }) => ky,
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
