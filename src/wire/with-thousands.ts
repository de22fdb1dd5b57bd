/** Formats a whole number: 1,234,567. `toLocaleString` does the same, but its first call takes 20 ms. */
export function withThousands(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
