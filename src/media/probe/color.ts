import type { MediaDetails } from "../../networks/contract/plan.ts";
import { contentsAt } from "./boxes.ts";
import { avcTransfer, hevcTransfer } from "./parameter-sets.ts";
import { textAt, viewOf } from "./reader.ts";

/** Transfer functions of HDR by their codes: ITU-T H.273, table 3. */
const transfers: Readonly<Record<number, "hlg" | "pq">> = { 16: "pq", 18: "hlg" };

/** What a code of a transfer function stands for; null: for none of HDR. */
export function transferOf(code: number | null): Required<MediaDetails>["color_transfer"] | null {
  return code === null ? null : (transfers[code] ?? null);
}

/** The code in a `colr` box of MP4 (`nclx`) or MOV (`nclc`): ISO/IEC 14496-12, section 12.1.5. Null: it has none. */
export function colrTransfer(content: Uint8Array): number | null {
  return /^ncl[xc]$/.test(textAt(content, 0, 4)) && content.length >= 8 ? viewOf(content).getUint16(6) : null;
}

/** Where the boxes begin in a sample entry of pictures. */
const entryFieldBytes = 78;

/** H.273's code for "unknown". */
const unspecified = 2;

/** How a sample entry of pictures says that light is coded: in `colr`, or where the codec says it itself. */
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
