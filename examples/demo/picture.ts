import { crc32, deflateSync } from "node:zlib";

/** What the picture shows, for those who cannot see it. */
export const pictureAlt = "A pale sun in a pink sky over three rows of blue hills.";

const width = 640;
const height = 400;

/** A PNG, drawn on the spot. */
export function drawPicture(): Uint8Array {
  const lines = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => colour(x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits a channel, red green blue, nothing special
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const pixels = deflateSync(Uint8Array.from(lines.flat()));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", new Uint8Array())]);
}

function colour(x: number, y: number): [number, number, number] {
  const hill = [0, 1, 2].findLast((row) => y > 230 + row * 55 + 22 * Math.sin(x / (90 - row * 18) + row * 2));
  if (hill !== undefined) return [90 - hill * 28, 110 - hill * 30, 150 - hill * 34];
  if (Math.hypot(x - 440, y - 130) < 46) return [255, 244, 214];
  return [244, 170 + Math.round(y / 8), 160 + Math.round(y / 5)];
}

/** Length, name, content, checksum. https://www.w3.org/TR/png-3/ (2026-11) */
function chunk(name: string, content: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
