type Beginning = readonly [type: string, start: readonly number[]];

/** https://www.w3.org/TR/png-3/#5PNG-file-signature, https://www.w3.org/Graphics/JPEG/itu-t81.pdf, https://www.w3.org/Graphics/GIF/spec-gif89a.txt (2026-11) */
const pictures: readonly Beginning[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
];

const unnamed = "application/octet-stream";

/**
 * Office files have one of two container formats, which LinkedIn inspects itself.
 * https://www.loc.gov/preservation/digital/formats/fdd/fdd000030.shtml, …/fdd000363.shtml, …/fdd000380.shtml (2026-11)
 */
const documents: readonly Beginning[] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  [unnamed, [0x50, 0x4b, 0x03, 0x04]],
  [unnamed, [0xd0, 0xcf, 0x11, 0xe0]],
];

/** Detects an image's type from its first bytes. Null: none that LinkedIn accepts. */
export function pictureType(bytes: Uint8Array): string | null {
  return typeIn(pictures, bytes);
}

/** Detects a document's type from its first bytes. Null: none that LinkedIn accepts. */
export function documentType(bytes: Uint8Array): string | null {
  return typeIn(documents, bytes);
}

function typeIn(known: readonly Beginning[], bytes: Uint8Array): string | null {
  return known.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0] ?? null;
}
