import type { MediaDetails } from "../../networks/contract/plan.ts";
import { contentsAt } from "./boxes.ts";
import { avcTransfer, hevcTransfer } from "./parameter-sets.ts";
import { textAt, viewOf } from "./reader.ts";

/** HDR transfer functions by their codes: ITU-T H.273, table 3. */
const transfers: Readonly<Record<number, "hlg" | "pq">> = { 16: "pq", 18: "hlg" };

/** The transfer function of a code; null: it is not HDR. */
export function transferOf(code: number | null): Required<MediaDetails>["color_transfer"] | null {
  return code === null ? null : (transfers[code] ?? null);
}

/** The code in a `colr` box of MP4 (`nclx`) or MOV (`nclc`): ISO/IEC 14496-12, section 12.1.5. Null: none. */
export function colrTransfer(content: Uint8Array): number | null {
  return /^ncl[xc]$/.test(textAt(content, 0, 4)) && content.length >= 8 ? viewOf(content).getUint16(6) : null;
}

/** Bytes before the boxes of a visual sample entry. */
const entryFieldBytes = 78;

/** H.273's code for "unknown". */
const unspecified = 2;

/** The HDR transfer function of a visual sample entry: from `colr`, or from the codec's configuration. */
export function entryTransfer(entry: Uint8Array): Required<MediaDetails>["color_transfer"] | null {
  const boxes = entry.subarray(entryFieldBytes);
  const codes = [
    ...contentsAt(boxes, "colr").map(colrTransfer),
    ...contentsAt(boxes, "hvcC").map(hevcTransfer),
    ...contentsAt(boxes, "avcC").map(avcTransfer),
    ...contentsAt(boxes, "vpcC").map(vp9Transfer),
  ];
  return transferOf(codes.find((code) => code !== null && code !== unspecified) ?? null);
}

/** https://www.webmproject.org/vp9/mp4/ (November 2026) */
function vp9Transfer(configuration: Uint8Array): number | null {
  return configuration[8] ?? null;
}
