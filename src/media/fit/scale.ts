import type { MediaRule } from "../../networks/contract/limits.ts";
import { fitsShape } from "./faults.ts";

interface Size {
  width: number;
  height: number;
}

/** Smaller sizes to try if rounding makes an image slightly too narrow or too wide. */
const triedSizes = 64;

/**
 * The largest size that a rule accepts, at most the original, with the same aspect ratio; null: none. `step`: both
 * sides are multiples of it.
 */
export function scaleInto(size: Size, rule: MediaRule, step: 1 | 2): Size | null {
  const isWide = size.width >= size.height;
  const [long, short] = isWide ? [size.width, size.height] : [size.height, size.width];
  const largest = Math.floor((long * scaleOf(size, rule)) / step) * step;
  for (let side = largest; side > Math.max(0, largest - triedSizes * step); side -= step) {
    const other = (side * short) / long / step;
    const nearest = Math.round(other);
    // One of the two is inside each limit of the aspect ratio.
    for (const count of [nearest, nearest > other ? Math.floor(other) : Math.ceil(other)]) {
      const rounded = count * step;
      const scaled = isWide ? { width: side, height: rounded } : { width: rounded, height: side };
      if (rounded > 0 && rounded <= short && fitsShape(scaled, rule)) return scaled;
    }
  }
  return null;
}

function scaleOf({ width, height }: Size, rule: MediaRule): number {
  const { max_width = width, max_height = height, max_pixels = width * height } = rule;
  const shortSide = Math.min(width, height);
  const { max_short_side = shortSide } = rule;
  const bySides = Math.min(max_width / width, max_height / height, max_short_side / shortSide);
  return Math.min(1, bySides, Math.sqrt(max_pixels / (width * height)));
}
