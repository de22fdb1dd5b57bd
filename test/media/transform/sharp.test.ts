import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type SharpTransformerOptions, sharpTransformer } from "../../../src/media/sharp/index.ts";
import { createSharpTransformer } from "../../../src/media/sharp/make.ts";
import { fixture, fixtureNames } from "../fixtures.ts";
import { jpeg } from "../samples.ts";
import { factsOf, type MadeFile, makeOf, sourceOf } from "./source.ts";

const change = { kind: "image", mime_type: "image/jpeg", width: 320, height: 240, max_bytes: 1_000_000 } as const;

/** An image that hardly compresses: every pixel differs. */
function noise(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 7;
  for (let at = 0; at < pixels.length; at += 1) {
    // Marsaglia's xorshift.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pixels[at] = state & 0xff;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const redSquare = { channels: 3, background: "red" } as const;

/** The average difference of two images of one size, out of 255. */
async function distance(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([one, other].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()));
  if (first === undefined || first.length !== second?.length) throw new Error("The pictures are of two sizes.");
  return first.reduce((sum, value, at) => sum + Math.abs(value - (second[at] ?? 0)), 0) / first.length;
}

function make(bytes: Uint8Array, given: object = {}, options: SharpTransformerOptions = {}): Promise<MadeFile> {
  return makeOf(sharpTransformer(options), bytes, { ...change, ...given });
}

describe("an image that sharp converts", () => {
  it.each(["image/jpeg", "image/png", "image/webp"] as const)("becomes %s of the requested size", async (mime_type) => {
    const { bytes, size_bytes } = await make(await noise(640, 480), { mime_type });
    expect(size_bytes).toBe(bytes.length);
    expect(await factsOf(bytes)).toMatchObject({ mime_type, width: 320, height: 240 });
  });

  it("may have each format that the transformer lists", async () => {
    const names = ["still.jpg", "still.png", "lossy.webp", "still.gif", "still.avif"];
    const made = await Promise.all(names.map((name) => make(fixture(name), { width: 32, height: 24 })));
    expect(await Promise.all(made.map(({ bytes }) => factsOf(bytes)))).toEqual(
      names.map(() => expect.objectContaining({ mime_type: "image/jpeg", width: 32, height: 24 })),
    );
  });

  it("is rotated as it is shown, and loses its location and its camera data", async () => {
    const exif = { IFD0: { Make: "Camera" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 0/1" } };
    const photo = await sharp(await noise(640, 480))
      .jpeg()
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await factsOf(photo)).toMatchObject({ orientation: 6, width: 480, height: 640 });
    const { bytes } = await make(photo, { width: 240, height: 320 });
    const { exif: kept, orientation, icc } = await sharp(bytes).metadata();
    expect([kept, orientation, icc]).toEqual([undefined, undefined, undefined]);
    expect(await factsOf(bytes)).toMatchObject({ width: 240, height: 320 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is rotated and mirrored by orientation %d", async (orientation) => {
    const corner = { input: { create: { ...redSquare, width: 16, height: 16 } }, left: 0, top: 0 };
    const stored = await sharp({ create: { ...redSquare, background: "white", width: 64, height: 48 } })
      .composite([corner])
      .withMetadata({ orientation })
      .png()
      .toBuffer();
    const upright = await sharp(stored).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = upright.info;
    const { bytes } = await make(stored, { mime_type: "image/png", width, height });
    expect((await sharp(bytes).raw().toBuffer()).equals(upright.data)).toBe(true);
  });

  it.each(fixtureNames.filter((name) => /^turned.*(jpg|png|webp|avif)$/.test(name)))(
    "is rotated as %s demands, wherever the file says so",
    async (name) => {
      const { bytes } = await make(fixture(name), { mime_type: "image/png", width: 48, height: 64 });
      const as = name.endsWith("avif")
        ? sharp(fixture("still.png")).flop().rotate(270)
        : sharp(fixture("still.png")).rotate(90);
      expect(await distance(bytes, await as.png().toBuffer())).toBeLessThan(12);
    },
  );

  it("is not rotated by EXIF that its format ignores", async () => {
    const { bytes } = await make(fixture("exif-only.avif"), { mime_type: "image/png", width: 64, height: 48 });
    expect(await distance(bytes, fixture("still.png"))).toBeLessThan(12);
  });

  it("is white as a JPEG where it was transparent, and stays transparent as a PNG", async () => {
    const empty = { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
    const clear = await sharp({ create: empty }).png().toBuffer();
    const small = { width: 16, height: 16 };
    const { data } = await sharp((await make(clear, small)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...new Set(data)]).toEqual([255]);
    const { bytes } = await make(clear, { ...small, mime_type: "image/png" });
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
  });

  it("is in sRGB, whatever its colours were", async () => {
    const cmyk = await sharp(await noise(64, 48))
      .toColourspace("cmyk")
      .jpeg()
      .toBuffer();
    const { bytes } = await make(cmyk, { width: 32, height: 24 });
    expect((await sharp(bytes).metadata()).space).toBe("srgb");
  });

  it.each(["image/jpeg", "image/png", "image/webp"] as const)(
    "loses quality until it is small enough: %s",
    async (mime_type) => {
      const picture = await noise(320, 240);
      const large = await make(picture, { mime_type });
      const max_bytes = Math.floor(large.size_bytes * 0.7);
      expect((await make(picture, { mime_type, max_bytes })).size_bytes).toBeLessThanOrEqual(max_bytes);
    },
  );
});

describe("an image that sharp cannot convert", () => {
  it.each([
    ["would have to be smaller than possible", { max_bytes: 500 }, {}, "cannot be reduced to 500 bytes"],
    ["has more pixels than are allowed", {}, { maxPixels: 1_000 }, "has too many pixels to be converted"],
    ["has more bytes than are allowed", {}, { maxBytes: 1_000 }, "is larger than 1000 bytes"],
  ])("%s", async (_, given, options, message) => {
    await expect(make(await noise(320, 240), given, options)).rejects.toMatchObject({
      code: "media_error",
      isPassing: false,
      message: expect.stringContaining(message),
    });
  });

  it("has another aspect ratio than planned, which is an internal error", async () => {
    const made = make(await noise(320, 240), { width: 240, height: 320 });
    await expect(made).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining("does not have the planned aspect ratio"),
    });
  });

  it("is broken, and the message reports that", async () => {
    await expect(make(jpeg(320, 240))).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringMatching(/^cannot be decoded \(.+\); save or export it again$/),
    });
  });
});

it("the transformer stops when it is aborted", async () => {
  const signal = AbortSignal.abort(new Error("Called off."));
  const made = sharpTransformer().transform(sourceOf(await noise(64, 48)), change, { signal });
  await expect(made).rejects.toThrow("Called off.");
});

it("the transformer's version includes the library that does the work", async () => {
  expect(await sharpTransformer().version()).toMatch(/^sharp \d+\.\d+\.\d+ libvips \d+\.\d+\.\d+$/);
});

it("the transformer names the package to install if sharp is missing", async () => {
  const bounds = { maxPixels: 1, maxBytes: 1, timeoutSeconds: 1, heic: false };
  const transformer = createSharpTransformer(bounds, () => Promise.reject(new Error("Cannot find package 'sharp'")));
  await expect(transformer.version()).rejects.toMatchObject({
    code: "internal_error",
    message: expect.stringContaining("npm install sharp"),
  });
});

it("the transformer warns that HDR loses its brightness", async () => {
  const warningsOf = async (name: string) => sharpTransformer().warnings?.(await factsOf(fixture(name)), change);
  expect(await warningsOf("pq.avif")).toEqual([expect.stringContaining("use SDR")]);
  expect(await warningsOf("still.avif")).toEqual([]);
});

it("the transformer does not report a HEIC as broken if the host's libvips cannot decode it", async () => {
  await expect(make(fixture("still.heic"), {}, { heic: true })).rejects.toMatchObject({
    code: "internal_error",
    message:
      "cannot be converted: this service does not decode HEIC. [For the developer: See sharpTransformer's heic.]",
  });
});

it("the transformer reads HEIC only if the host says that its libvips can", () => {
  expect(sharpTransformer().reads).not.toContain("image/heic");
  expect(sharpTransformer({ heic: true }).reads).toContain("image/heic");
});

it("the transformer rejects an unknown option", () => {
  expect(() => sharpTransformer({ maxPixel: 1 } as SharpTransformerOptions)).toThrow("maxPixel");
});
