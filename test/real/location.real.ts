import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleaned, located, locatedNames } from "../media/located.ts";

const hasExiftool = (() => {
  try {
    execFileSync("exiftool", ["-ver"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-location-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every tag that exiftool finds in a file and its embedded files, with its value: `[GPS] GPSLatitude: 10.5`. */
function tagsOf(bytes: Uint8Array, name: string): string[] {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const options = ["-ee", "-a", "-u", "-n", "-s", "-G1", "-x", "System:all", "-x", "Composite:all", path];
  return execFileSync("exiftool", options, { encoding: "utf8" })
    .split("\n")
    .map((line) => line.replace(/ +: /, ": "));
}

const isLocation = (tag: string): boolean => /gps|location|city|country|xyz|10\.5|20\.25|faya|oasis/i.test(tag);

/** True: a checksum over the rest of the file. */
const isSum = (tag: string): boolean => /CRC-32|IPTCDigest/.test(tag);

/** Its compressed texts contain a location among other things, and are removed whole. */
const losesMore = ["texts.png"];

describe.skipIf(!hasExiftool)(
  `exiftool's output for a sent file${hasExiftool ? "" : " (skipped: apt-get install libimage-exiftool-perl)"}`,
  () => {
    it.each(locatedNames)("has no location for %s, and all other tags", async (name) => {
      const before = tagsOf(located(name), name);
      expect(before.filter(isLocation)).not.toEqual([]);
      const after = tagsOf((await cleaned(located(name))).bytes, name);
      expect(after.filter(isLocation)).toEqual([]);
      if (losesMore.includes(name)) return;
      const rest = before.filter((tag) => !isLocation(tag) && !isSum(tag));
      expect(rest.filter((tag) => !after.includes(tag))).toEqual([]);
    });
  },
);
