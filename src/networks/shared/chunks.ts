import type { FileSlice } from "../contract/request.ts";

/** Splits a file of `total` bytes into chunks of `size`, in order. The last one may be shorter. */
export function chunksOf(total: number, size: number): FileSlice[] {
  const count = Math.ceil(total / size);
  return Array.from({ length: count }, (_, index) => ({
    from: index * size,
    to: Math.min((index + 1) * size, total),
  }));
}
