import type { Stretch } from "../probe/boxes.ts";
import { textAt } from "../probe/reader.ts";
import { blank, readAll, type Search } from "./search.ts";

/** Properties that say a location, by their namespace: XMP specification, parts 1 and 2; IPTC Photo Metadata 2023. */
const locations = new Map<string, RegExp>([
  ["http://ns.adobe.com/exif/1.0/", /^GPS/],
  ["http://ns.adobe.com/photoshop/1.0/", /^(City|State|Country)$/],
  ["http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", /^(Location|CountryCode)$/],
  ["http://iptc.org/std/Iptc4xmpExt/2008-02-29/", /^Location(Shown|Created)$/],
  ["http://ns.adobe.com/xmp/1.0/DynamicMedia/", /^shotLocation$/],
  ["http://www.w3.org/2003/01/geo/wgs84_pos#", /^(lat|long|alt|lat_long|Point)$/],
]);

/** Whatever the namespace: makers of drones and apps have their own. */
const positionName = /^gps/i;

const namespacePattern = /xmlns:([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const namePattern = /([\s<])(([\w.-]+):([\w.-]+))/g;
const attributePattern = /\s*=\s*(["'])/y;

/** A stretch of a packet, in characters. */
interface Range {
  from: number;
  to: number;
}

interface XmpLocations {
  ranges: Range[];
  /** False: the packet ends or is broken before all of them were seen. */
  isWhole: boolean;
}

/** Where in an XMP packet locations stand: attributes, and elements with all that is in them. */
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

/** -1 where it does not end. */
function elementEnd(packet: string, from: number, name: string): number {
  const open = packet.indexOf(">", from);
  if (open === -1 || packet[open - 1] === "/") return open === -1 ? -1 : open + 1;
  const close = packet.indexOf(`</${name}>`, open);
  return close === -1 ? -1 : close + name.length + 3;
}

/** Null where the name is not one of an attribute, -1 where its value does not end. */
function attributeEnd(packet: string, nameEnd: number): number | null {
  attributePattern.lastIndex = nameEnd;
  const quote = attributePattern.exec(packet)?.[1];
  if (quote === undefined) return null;
  const close = packet.indexOf(quote, attributePattern.lastIndex);
  return close === -1 ? -1 : close + 1;
}

const space = 0x20;

/**
 * Finds the locations in an XMP packet that lies in a file in one piece, or in several.
 *
 * @returns the packet, as characters of the same number; null where it is out of reach
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

/** Where in the file a part of a packet lies. */
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
