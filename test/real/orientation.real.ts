import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examineMedia } from "../../src/media/probe/examine.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import { containers } from "../media/exif/containers.ts";
import { orientationExif } from "../media/exif/tiff.ts";
import { fixture, fixtureNames } from "../media/fixtures.ts";

/** exiftool's orientation of images. */
const hasExiftool = spawnSync("exiftool", ["-ver"]).status === 0;

async function oursOf(bytes: Uint8Array): Promise<number | null> {
  const examined = await examineMedia(bytesReader(bytes));
  return "facts" in examined ? (examined.facts.orientation ?? null) : null;
}

function theirsOf(bytes: Uint8Array): number | null {
  const folder = mkdtempSync(join(tmpdir(), "orientation-"));
  try {
    writeFileSync(join(folder, "picture"), bytes);
    const said = execFileSync("exiftool", ["-s3", "-n", "-Orientation", join(folder, "picture")], { stdio: "pipe" });
    return said.length === 0 ? null : Number(said.toString().trim());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// For AVIF and HEIC it shows the EXIF, which decoders ignore.
const pictures = fixtureNames.filter((name) => /\.(jpg|png|webp)$/.test(name));

describe.skipIf(!hasExiftool)(`exiftool${hasExiftool ? "" : " (skipped: apt-get install exiftool)"}`, () => {
  it.each(pictures)("agrees about the orientation of %s", async (name) => {
    expect(await oursOf(fixture(name))).toBe(theirsOf(fixture(name)));
  });

  it.each(containers)("agrees about EXIF in %s", async (_name, around) => {
    for (const exif of [orientationExif(6), orientationExif(7, "II"), orientationExif(8, "MM", 4)]) {
      expect(await oursOf(around(exif))).toBe(theirsOf(around(exif)));
    }
  });
});
