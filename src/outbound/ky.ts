import type { KyInstance } from "ky";

let loading: Promise<KyInstance> | null = null;

/**
 * ky, loaded with the first request: it wakes Node's own `fetch`, and the two
 * take a quarter of the time that importing all of this package would take.
 *
 * @throws when it cannot be loaded, as on a disk whose packages are being replaced; the next call tries again
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
