/** What of a file a request is for: all of it, a part of it, or a part that it does not have. */
export type Asked = "all" | "none" | { from: number; to: number };

/**
 * A `Range` header (RFC 9110, section 14.2). Several ranges, and what is none, are answered with all of the file,
 * as the RFC allows.
 */
export function rangeOf(header: string | null, sizeBytes: number): Asked {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "all";
  if (first === "") return tailOf(Number(last), sizeBytes);
  const from = Number(first);
  if (last !== "" && Number(last) < from) return "all";
  if (from >= sizeBytes) return "none";
  return { from, to: last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}

function tailOf(length: number, sizeBytes: number): Asked {
  return length === 0 ? "none" : { from: Math.max(0, sizeBytes - length), to: sizeBytes };
}

/** The range that counts: `If-Range` lets it count only for the file that the caller has a part of. */
export function askedOf(headers: Headers, { tag, sizeBytes }: { tag: string; sizeBytes: number }): Asked {
  const condition = headers.get("if-range");
  return condition === null || condition.trim() === tag ? rangeOf(headers.get("range"), sizeBytes) : "all";
}

/** True when the caller has the file already (`If-None-Match`, compared weakly). */
export function isKnown(headers: Headers, tag: string): boolean {
  const tags = (headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
