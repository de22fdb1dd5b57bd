/** A whole number as it is read: 1,234,567. `toLocaleString` does the same, and takes 20 ms to begin with. */
export function withThousands(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
