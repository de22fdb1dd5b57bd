import { crc32, deflateSync } from "node:zlib";

/** Small hand-made files of every kind: realistic headers, almost no content. */

export function text(value: string): Uint8Array {
  return Uint8Array.from(value, (character) => character.charCodeAt(0));
}

export function join(...pieces: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

/** Big-endian, `size` bytes. */
export function uint(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** (size - 1 - index)) % 256);
}

export function little(value: number, size: number): Uint8Array {
  return uint(value, size).reverse();
}

export function pngChunk(name: string, content: Uint8Array): Uint8Array {
  const named = join(text(name), content);
  return join(uint(content.length, 4), named, uint(checksum(named), 4));
}

/** `zlib.crc32` is younger than Node 20.19. */
function checksum(bytes: Uint8Array): number {
  if (typeof crc32 === "function") return crc32(bytes);
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

export function png(width: number, height: number, frames?: number): Uint8Array {
  const header = join(uint(width, 4), uint(height, 4), Uint8Array.of(8, 0, 0, 0, 0));
  const animation = frames === undefined ? new Uint8Array() : pngChunk("acTL", join(uint(frames, 4), uint(0, 4)));
  const pixels = deflateSync(new Uint8Array((width + 1) * height));
  const end = pngChunk("IEND", new Uint8Array());
  return join(text("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", header), animation, pngChunk("IDAT", pixels), end);
}

/** An image with `count` chunks of `bytes` pixel bytes each, which cannot be decoded. */
export function pngOfChunks(count: number, bytes: number, name: "IDAT" | "fdAT" = "IDAT"): Uint8Array {
  const whole = png(7, 5);
  const pixels = Array.from({ length: count }, () => pngChunk(name, new Uint8Array(bytes).fill(7)));
  return join(whole.subarray(0, 33), ...pixels, whole.subarray(-12));
}

/** Each frame with its blocks of pixels, without the empty block that ends them. */
export function gif(width: number, height: number, frames: readonly Uint8Array[] = [text("\x01\0")]): Uint8Array {
  const size = join(little(width, 2), little(height, 2));
  const head = join(text(","), new Uint8Array(4), size, Uint8Array.of(0, 2));
  const shown = frames.flatMap((blocks) => [head, blocks, new Uint8Array(1)]);
  const pictures = new Uint8Array(Buffer.concat(shown));
  return join(text("GIF89a"), size, Uint8Array.of(0x80, 0, 0), new Uint8Array(6), pictures, text(";"));
}

/** Four kilobytes of pixels. */
const longBlocks = text(`\xff${"p".repeat(255)}`.repeat(16));

export function jpegSegment(marker: number, content: Uint8Array): Uint8Array {
  return join(Uint8Array.of(0xff, marker), uint(content.length + 2, 2), content);
}

export interface JpegOptions {
  orientation?: number;
  byteOrder?: "II" | "MM";
  frame?: number;
  /** Bytes of other metadata before the frame header. */
  before?: number;
}

export function jpeg(width: number, height: number, options: JpegOptions = {}): Uint8Array {
  const { orientation, byteOrder = "MM", frame = 0xc0, before = 0 } = options;
  const write = byteOrder === "MM" ? uint : little;
  const entry = join(write(0x0112, 2), write(3, 2), write(1, 4), write(orientation ?? 0, 2), new Uint8Array(2));
  const tiff = join(text(byteOrder), write(42, 2), write(8, 4), write(1, 2), entry, new Uint8Array(4));
  const exif = orientation === undefined ? new Uint8Array() : jpegSegment(0xe1, join(text("Exif\0\0"), tiff));
  const rest = Array.from({ length: Math.ceil(before / 60_000) }, () => jpegSegment(0xe2, new Uint8Array(60_000)));
  const size = join(Uint8Array.of(8), uint(height, 2), uint(width, 2), Uint8Array.of(1, 1, 0x11, 0));
  const scan = jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0));
  const jfif = jpegSegment(0xe0, join(text("JFIF\0"), Uint8Array.of(1, 1, 0, 0, 1, 0, 1, 0, 0)));
  const start = Uint8Array.of(0xff, 0xd8);
  return join(
    start,
    jfif,
    exif,
    ...rest,
    jpegSegment(frame, size),
    scan,
    new Uint8Array(32),
    Uint8Array.of(0xff, 0xd9),
  );
}

export function webp(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Uint8Array {
  const contents = {
    "VP8 ": join(Uint8Array.of(0x30, 1, 0, 0x9d, 1, 0x2a), little(width, 2), little(height, 2)),
    VP8L: join(Uint8Array.of(0x2f), little(width - 1 + (height - 1) * 0x4000, 4), new Uint8Array(5)),
    VP8X: join(new Uint8Array(4), little(width - 1, 3), little(height - 1, 3)),
  };
  const chunk = join(text(kind), little(contents[kind].length, 4), contents[kind], new Uint8Array(16));
  return join(text("RIFF"), little(chunk.length + 4, 4), text("WEBP"), chunk);
}

export function box(type: string, ...content: Uint8Array[]): Uint8Array {
  const whole = join(...content);
  return join(uint(whole.length + 8, 4), text(type), whole);
}

export function largeBox(type: string, content: Uint8Array): Uint8Array {
  return join(uint(1, 4), text(type), uint(content.length + 16, 8), content);
}

export function ftyp(major: string, ...compatible: string[]): Uint8Array {
  return box("ftyp", text(major), uint(512, 4), ...compatible.map(text));
}

/** @param rotation counterclockwise quarter turns @param others properties after that */
export function heif(
  brand: string,
  sizes: [number, number][],
  rotation?: number,
  others: readonly Uint8Array[] = [],
): Uint8Array {
  const properties = sizes.map(([width, height]) => box("ispe", uint(0, 4), uint(width, 4), uint(height, 4)));
  if (rotation !== undefined) properties.push(box("irot", Uint8Array.of(rotation)));
  properties.push(...others);
  const handler = box("hdlr", uint(0, 8), text("pict"), new Uint8Array(13));
  return join(
    ftyp(brand, "mif1"),
    box("meta", uint(0, 4), handler, box("iprp", box("ipco", ...properties))),
    box("mdat"),
  );
}

const straight = [1, 0, 0, 0, 1, 0, 0, 0, 0x4000];
const quarterTurn = [0, 1, 0, -1, 0, 0, 0, 0, 0x4000];

export interface MovieOptions {
  width: number;
  height: number;
  seconds?: number;
  isTurned?: boolean;
  /** Version 1 headers, with times of eight bytes. */
  isLong?: boolean;
  handler?: string;
  /** The length only in `mehd`, as in fragmented files. */
  isFragmented?: boolean;
}

export function moov(options: MovieOptions): Uint8Array {
  const { width, height, seconds = 1, isTurned, isLong, handler = "vide", isFragmented } = options;
  const size = isLong ? 8 : 4;
  const version = uint(isLong ? 0x01000000 : 0, 4);
  const ticks = uint(seconds * 600, size);
  const matrix = (isTurned ? quarterTurn : straight).map((value) => uint((value * 0x10000 + 2 ** 32) % 2 ** 32, 4));
  const times = new Uint8Array(size * 2);
  const length = isFragmented ? uint(0, size) : ticks;
  const header = box("mvhd", version, times, uint(600, 4), length, new Uint8Array(80));
  const pixels = [uint(width * 0x10000, 4), uint(height * 0x10000, 4)];
  const track = box("tkhd", version, times, uint(1, 4), uint(0, 4), ticks, new Uint8Array(16), ...matrix, ...pixels);
  const media = box("mdia", box("hdlr", uint(0, 8), text(handler), new Uint8Array(13)));
  const fragments = isFragmented ? [box("mvex", box("mehd", version, ticks))] : [];
  return box("moov", header, ...fragments, box("trak", track, media));
}

export function movie(brand: string, index: "first" | "last", options: MovieOptions, dataBytes = 1_000): Uint8Array {
  const start = ftyp(brand, brand === "qt  " ? "qt  " : "isom");
  const data = box("mdat", new Uint8Array(dataBytes));
  return index === "first" ? join(start, moov(options), data) : join(start, data, moov(options));
}

function element(id: number, ...content: Uint8Array[]): Uint8Array {
  const whole = join(...content);
  const idBytes = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  return join(uint(id, idBytes), uint(0x10000000 + whole.length, 4), whole);
}

export interface WebmOptions {
  docType?: string;
  width?: number;
  height?: number;
  seconds?: number;
  trackType?: number;
  /** The segment has an unknown size, as in live recordings. */
  isLive?: boolean;
  /** A sound track precedes the video track, with this many bytes of codec data. */
  soundBytes?: number;
}

export function webm(options: WebmOptions = {}): Uint8Array {
  const { docType = "webm", width = 640, height = 360, seconds, trackType = 1, isLive, soundBytes } = options;
  const duration = new DataView(new ArrayBuffer(8));
  duration.setFloat64(0, (seconds ?? 0) * 1_000);
  const durationElement = seconds === undefined ? [] : [element(0x4489, new Uint8Array(duration.buffer))];
  const info = element(0x1549a966, element(0x2ad7b1, uint(1_000_000, 3)), ...durationElement);
  const video = element(0xe0, element(0xb0, uint(width, 2)), element(0xba, uint(height, 2)));
  const track = element(
    0xae,
    element(0xd7, uint(1, 1)),
    element(0x83, uint(trackType, 1)),
    ...(trackType === 1 ? [video] : []),
  );
  const sound =
    soundBytes === undefined
      ? []
      : [
          element(
            0xae,
            element(0xd7, uint(2, 1)),
            element(0x83, uint(2, 1)),
            element(0x63a2, new Uint8Array(soundBytes)),
          ),
        ];
  const content = join(
    element(0xec, new Uint8Array(50)),
    info,
    element(0x1654ae6b, ...sound, track),
    element(0x1f43b675, new Uint8Array(99)),
  );
  const segment = isLive
    ? join(uint(0x18538067, 4), Uint8Array.of(0x01), uint(0xffffffffffff, 6), Uint8Array.of(0xff), content)
    : element(0x18538067, content);
  return join(element(0x1a45dfa3, element(0x4286, uint(1, 1)), element(0x4282, text(docType))), segment);
}

/** One of each kind, with its expected facts. */
export const samples: [name: string, bytes: Uint8Array, mime: string, width: number, height: number][] = [
  ["png", png(7, 5), "image/png", 7, 5],
  ["gif", gif(300, 20), "image/gif", 300, 20],
  [
    "long gif",
    gif(
      300,
      20,
      Array.from({ length: 50 }, () => longBlocks),
    ),
    "image/gif",
    300,
    20,
  ],
  ["jpeg", jpeg(640, 480), "image/jpeg", 640, 480],
  ["progressive jpeg", jpeg(640, 480, { frame: 0xc2 }), "image/jpeg", 640, 480],
  ["jpeg with metadata", jpeg(640, 480, { before: 120_000 }), "image/jpeg", 640, 480],
  ["lossy webp", webp("VP8 ", 550, 368), "image/webp", 550, 368],
  ["lossless webp", webp("VP8L", 386, 395), "image/webp", 386, 395],
  ["extended webp", webp("VP8X", 70_000, 3), "image/webp", 70_000, 3],
  ["avif", heif("avif", [[1204, 800]]), "image/avif", 1204, 800],
  ["heic", heif("heic", [[4032, 3024]]), "image/heic", 4032, 3024],
  ["mp4, index first", movie("isom", "first", { width: 1280, height: 720 }), "video/mp4", 1280, 720],
  ["mp4, index last", movie("mp42", "last", { width: 1280, height: 720 }), "video/mp4", 1280, 720],
  ["mov, index last", movie("qt  ", "last", { width: 1920, height: 1080 }), "video/quicktime", 1920, 1080],
  ["webm", webm(), "video/webm", 640, 360],
];
