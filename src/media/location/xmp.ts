import type { Stretch } from "../probe/boxes.ts";
import { textAt } from "../probe/reader.ts";
import { blank, readAll, type Search } from "./search.ts";

/** Properties with a location, by namespace: XMP specification, parts 1 and 2; IPTC Photo Metadata 2023. */
const locations = new Map<string, RegExp>([
  ["http://ns.adobe.com/exif/1.0/", /^GPS/],
  ["http://ns.adobe.com/photoshop/1.0/", /^(City|State|Country)$/],
  ["http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", /^(Location|CountryCode)$/],
  ["http://iptc.org/std/Iptc4xmpExt/2008-02-29/", /^Location(Shown|Created)$/],
  ["http://ns.adobe.com/xmp/1.0/DynamicMedia/", /^shotLocation$/],
  ["http://www.w3.org/2003/01/geo/wgs84_pos#", /^(lat|long|alt|lat_long|Point)$/],
]);

/** Positions in any namespace: makers of drones and apps have their own. */
const positionName = /^gps/i;

const namespacePattern = /xmlns:([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const namePattern = /([\s<])(([\w.-]+):([\w.-]+))/g;
const attributePattern = /\s*=\s*(["'])/y;

/** A range of characters in a packet. */
interface Range {
  from: number;
  to: number;
}

interface XmpLocations {
  ranges: Range[];
  /** False: the packet ends or is corrupt before all locations were found. */
  isWhole: boolean;
}

/** Finds the locations in an XMP packet: attributes, and elements with all of their content. */
function locationsInXmp(packet: string): XmpLocations {
  const prefixes = new Map<string, string>();
  for (const [, prefix = "", double, single = ""] of packet.matchAll(namespacePattern)) {
    prefixes.set(prefix, double ?? single);
  }
  const found: XmpLocations = { ranges: [], isWhole: true };
  namePattern.lastIndex = 0;
  for (let match = namePattern.exec(packet); match !== null; match = namePattern.exec(packet)) {
    const [, before, name = "", prefix = "", local = ""] = match;
    const isLocation = positionName.test(local) || locations.get(prefixes.get(prefix) ?? "")?.test(local);
    if (!isLocation) continue;
    const from = match.index + (before === "<" ? 0 : 1);
    const to = before === "<" ? elementEnd(packet, from, name) : attributeEnd(packet, namePattern.lastIndex);
    if (to === null) continue;
    if (to === -1) return { ...found, isWhole: false };
    found.ranges.push({ from, to });
    namePattern.lastIndex = to;
  }
  return found;
}

/** -1: it does not end. */
function elementEnd(packet: string, from: number, name: string): number {
  const open = packet.indexOf(">", from);
  if (open === -1 || packet[open - 1] === "/") return open === -1 ? -1 : open + 1;
  const close = packet.indexOf(`</${name}>`, open);
  return close === -1 ? -1 : close + name.length + 3;
}

/** Null: the name is not an attribute's; -1: its value does not end. */
function attributeEnd(packet: string, nameEnd: number): number | null {
  attributePattern.lastIndex = nameEnd;
  const quote = attributePattern.exec(packet)?.[1];
  if (quote === undefined) return null;
  const close = packet.indexOf(quote, attributePattern.lastIndex);
  return close === -1 ? -1 : close + 1;
}

const space = 0x20;

/**
 * Finds the locations in an XMP packet that is in the file in one piece, or in several.
 *
 * @returns the packet, one character for each byte; null: out of reach
 */
export async function searchXmp(search: Search, ...pieces: Stretch[]): Promise<string | null> {
  const texts: string[] = [];
  for (const piece of pieces) {
    const bytes = await readAll(search, piece);
    if (bytes === null) return null;
    texts.push(textAt(bytes, 0, bytes.length));
  }
  const packet = texts.join("");
  const { ranges, isWhole } = locationsInXmp(packet);
  if (!isWhole) search.left.add("out_of_reach");
  for (const range of ranges) for (const stretch of stretchesOf(range, pieces)) blank(search, stretch, space);
  return packet;
}

/** The file ranges of a part of a packet. */
function stretchesOf({ from, to }: Range, pieces: readonly Stretch[]): Stretch[] {
  const stretches: Stretch[] = [];
  let before = 0;
  for (const { start, end } of pieces) {
    const stretch = { start: start + Math.max(0, from - before), end: Math.min(end, start + to - before) };
    if (stretch.start < stretch.end) stretches.push(stretch);
    before += end - start;
  }
  return stretches;
}
