/** What takes longest to read, found by trying. */
import { box, ftyp, join, text, webm } from "../media/samples.ts";

export const mediaHost = "https://files.example";

/** Texts of one unit over and over, by the unit. */
export function hostileTexts(length: number): Record<string, string> {
  const units = [
    ...["語.", ".み", "a.co日-.", " a.co: a", "t.co/ ", "日本.com ", "http://xn--a.com "],
    ...["@a@b.c ", "@a.b_ ", "@", "#a", "# ", "http://", "https://a.b/((", "(a.co"],
    ...["👨‍👩‍👧‍👦", "🇩", "👍🏽", "#️⃣", "\u0301", "\u200d", "é ", "क्", "漢。", "\r\n", ". A", "a", " "],
  ];
  return Object.fromEntries(
    units.map((unit) => [JSON.stringify(unit), unit.repeat(Math.ceil(length / unit.length)).slice(0, length)]),
  );
}

const largest = 16 * 1024 * 1024;

/** Files whose heads say that there is much to read, by what it is. */
export function hostileFiles(): Record<string, Uint8Array<ArrayBuffer>> {
  const repeated = (unit: string, bytes = largest): Uint8Array => text(unit.repeat(bytes / unit.length));
  const files = {
    "empty tracks": join(ftyp("isom"), box("moov", repeated("\0\0\0\x08trak", 2 ** 23))),
    "one huge table": join(ftyp("isom"), box("moov", box("trak", box("stbl", new Uint8Array(largest))))),
    "many boxes": join(ftyp("isom"), repeated("\0\0\0\x08free", 2 ** 20)),
    "many elements": join(webm().subarray(0, 30), repeated("\xec\x80", 2 ** 18)),
    "fill bytes": join(Uint8Array.of(0xff, 0xd8), new Uint8Array(2 ** 18).fill(0xff)),
    "empty segments": join(Uint8Array.of(0xff, 0xd8), repeated("\xff\xe2\0\x02", 2 ** 18)),
    nothing: new Uint8Array(largest),
  };
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, new Uint8Array(bytes)]));
}
