import type { FileRule } from "../networks/contract/limits.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import type { MediaResult } from "./media.ts";

/** Why a network does not take a file beside those of `media`; null: it does. */
export function fileProblem(
  noun: string,
  found: MediaResult,
  { rule: { mimes, max_bytes }, spec: { name } }: { rule: FileRule; spec: NetworkSpec },
): string | null {
  if ("error" in found) return found.error.message;
  const { mime_type, size_bytes } = found;
  if (!mimes.includes(mime_type)) return `The ${noun} is ${mime_type}; ${name} takes ${mimes.join(", ")}.`;
  if (size_bytes === null || size_bytes <= max_bytes) return null;
  return `The ${noun} has ${size_bytes} bytes; ${name} takes at most ${max_bytes}.`;
}
