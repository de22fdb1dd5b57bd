/** The requested part of a file. "all": the whole file. "none": a part that it does not have. */
export type Asked = "all" | "none" | { from: number; to: number };

/**
 * Parses a `Range` header (RFC 9110, section 14.2). Several ranges, or an invalid header, mean the whole file, as the
 * RFC allows.
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

/** The range to serve. With `If-Range`, the range applies only if the caller's part is of this file. */
export function askedOf(headers: Headers, { tag, sizeBytes }: { tag: string; sizeBytes: number }): Asked {
  const condition = headers.get("if-range");
  return condition === null || condition.trim() === tag ? rangeOf(headers.get("range"), sizeBytes) : "all";
}

/** True: the caller already has the file (`If-None-Match`, compared weakly). */
export function isKnown(headers: Headers, tag: string): boolean {
  const tags = (headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
