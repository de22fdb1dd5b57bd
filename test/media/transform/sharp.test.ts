import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type SharpTransformerOptions, sharpTransformer } from "../../../src/media/sharp/index.ts";
import { createSharpTransformer } from "../../../src/media/sharp/make.ts";
import { fixture, fixtureNames } from "../fixtures.ts";
import { jpeg } from "../samples.ts";
import { factsOf, type MadeFile, makeOf, sourceOf } from "./source.ts";

const change = { kind: "image", mime_type: "image/jpeg", width: 320, height: 240, max_bytes: 1_000_000 } as const;

/** A picture that cannot be made much smaller: every pixel is another. */
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

/** How far two pictures of one size are from each other, of 255, on average. */
async function distance(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([one, other].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()));
  if (first === undefined || first.length !== second?.length) throw new Error("The pictures are of two sizes.");
  return first.reduce((sum, value, at) => sum + Math.abs(value - (second[at] ?? 0)), 0) / first.length;
}

function make(bytes: Uint8Array, given: object = {}, options: SharpTransformerOptions = {}): Promise<MadeFile> {
  return makeOf(sharpTransformer(options), bytes, { ...change, ...given });
}

describe("a picture that is made to fit", () => {
  it.each(["image/jpeg", "image/png", "image/webp"] as const)(
    "becomes %s of the size that was asked for",
    async (mime_type) => {
      const { bytes, size_bytes } = await make(await noise(640, 480), { mime_type });
      expect(size_bytes).toBe(bytes.length);
      expect(await factsOf(bytes)).toMatchObject({ mime_type, width: 320, height: 240 });
    },
  );

  it("is made of each format that it says it reads", async () => {
    const names = ["still.jpg", "still.png", "lossy.webp", "still.gif", "still.avif"];
    const made = await Promise.all(names.map((name) => make(fixture(name), { width: 32, height: 24 })));
    expect(await Promise.all(made.map(({ bytes }) => factsOf(bytes)))).toEqual(
      names.map(() => expect.objectContaining({ mime_type: "image/jpeg", width: 32, height: 24 })),
    );
  });

  it("is turned as it is shown, and keeps nothing of where and with what it was taken", async () => {
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

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is turned and mirrored by orientation %d", async (orientation) => {
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
    "is turned as %s says it, wherever it says it",
    async (name) => {
      const { bytes } = await make(fixture(name), { mime_type: "image/png", width: 48, height: 64 });
      const as = name.endsWith("avif")
        ? sharp(fixture("still.png")).flop().rotate(270)
        : sharp(fixture("still.png")).rotate(90);
      expect(await distance(bytes, await as.png().toBuffer())).toBeLessThan(12);
    },
  );

  it("is not turned by EXIF that its format does not ask", async () => {
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

describe("a picture that cannot be made to fit", () => {
  it.each([
    ["is too small to be one", { max_bytes: 500 }, {}, "cannot be reduced to 500 bytes"],
    ["has more pixels than are allowed", {}, { maxPixels: 1_000 }, "has too many pixels to be converted"],
    ["has more bytes than are allowed", {}, { maxBytes: 1_000 }, "is larger than 1000 bytes"],
  ])("%s", async (_, given, options, message) => {
    await expect(make(await noise(320, 240), given, options)).rejects.toMatchObject({
      code: "media_error",
      isPassing: false,
      message: expect.stringContaining(message),
    });
  });

  it("is of another shape than was planned, which is not its fault", async () => {
    const made = make(await noise(320, 240), { width: 240, height: 320 });
    await expect(made).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining("does not have the planned aspect ratio"),
    });
  });

  it("is broken, and the message says so", async () => {
    await expect(make(jpeg(320, 240))).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringMatching(/^cannot be decoded \(.+\); save or export it again$/),
    });
  });
});

it("stops when it is called off", async () => {
  const signal = AbortSignal.abort(new Error("Called off."));
  const made = sharpTransformer().transform(sourceOf(await noise(64, 48)), change, { signal });
  await expect(made).rejects.toThrow("Called off.");
});

it("names its version, with the library that does the work", async () => {
  expect(await sharpTransformer().version()).toMatch(/^sharp \d+\.\d+\.\d+ libvips \d+\.\d+\.\d+$/);
});

it("says what to install where there is no sharp", async () => {
  const bounds = { maxPixels: 1, maxBytes: 1, timeoutSeconds: 1, heic: false };
  const transformer = createSharpTransformer(bounds, () => Promise.reject(new Error("Cannot find package 'sharp'")));
  await expect(transformer.version()).rejects.toMatchObject({
    code: "internal_error",
    message: expect.stringContaining("npm install sharp"),
  });
});

it("warns of HDR, of which it keeps no brightness", async () => {
  const warningsOf = async (name: string) => sharpTransformer().warnings?.(await factsOf(fixture(name)), change);
  expect(await warningsOf("pq.avif")).toEqual([expect.stringContaining("use SDR")]);
  expect(await warningsOf("still.avif")).toEqual([]);
});

it("does not blame a HEIC that the host's libvips cannot decode", async () => {
  await expect(make(fixture("still.heic"), {}, { heic: true })).rejects.toMatchObject({
    code: "internal_error",
    message:
      "cannot be converted: this service does not decode HEIC. [For the developer: See sharpTransformer's heic.]",
  });
});

it("reads HEIC only where the host says that its libvips does", () => {
  expect(sharpTransformer().reads).not.toContain("image/heic");
  expect(sharpTransformer({ heic: true }).reads).toContain("image/heic");
});

it("refuses an option that it does not know", () => {
  expect(() => sharpTransformer({ maxPixel: 1 } as SharpTransformerOptions)).toThrow("maxPixel");
});
