import type { CommitFile } from "../contract/commit.ts";
import type { PlannedMedia } from "../contract/plan.ts";

const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/heic": "heic",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/quicktime": "mov",
};

const longestStem = 60;

/** Discord shows an attachment with this prefix only after a click. https://docs.discord.com/developers/resources/message (2026-08) */
const spoilerPrefix = "SPOILER_";

/** The files of a message, `files[0]`, `files[1]` … in the order of the media. */
export function messageFiles(media: readonly PlannedMedia[], isSpoiler: boolean): CommitFile[] {
  const prefix = isSpoiler ? spoilerPrefix : "";
  return media.map((each, index) => ({
    name: `files[${index}]`,
    filename: `${prefix}${filename(each, index)}`,
    media: index,
  }));
}

/**
 * The last path segment of the URL, in characters that Discord does not change, with the extension of the file's real
 * type: Discord relies on the name.
 */
function filename({ url, mime_type }: PlannedMedia, index: number): string {
  const step = lastStep(url);
  const stem = step
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[^A-Za-z0-9-]+/g, "_")
    .replace(/^[_-]+/, "")
    .slice(0, longestStem)
    .replace(/[_-]+$/, "")
    .replace(/^SPOILER_/i, "");
  return `${stem === "" ? `file-${index + 1}` : stem}.${extensions[mime_type] ?? "bin"}`;
}

function lastStep(url: string): string {
  const { pathname } = new URL(url);
  const step = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
