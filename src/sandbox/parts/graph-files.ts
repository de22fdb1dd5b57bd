import { fetchedFile } from "./fetched-file.ts";
import { Refusal } from "./refusal.ts";
import { tellsLength } from "./uploads.ts";

/** A video must be sent whole, with its length; a chunked body is rejected. @throws Refusal */
export function assertWhole(headers: Headers, bytes: Uint8Array): void {
  if (headers.get("offset") !== "0") throw uploadRefusal("OffsetInvalidError", "Request starting offset is invalid");
  const isWhole = headers.get("file_size") === String(bytes.length) && tellsLength({ headers, bytes });
  if (bytes.length === 0 || !isWhole) throw uploadRefusal("InvalidRequest", "The length is not what was sent");
}

/**
 * A rejection by the upload host for videos.
 * https://developers.facebook.com/documentation/instagram-platform/content-publishing/resumable-uploads (2026-03)
 */
export function uploadRefusal(type: string, message: string, { status = 400, retriable = false } = {}): Refusal {
  return new Refusal(message, { code: type, status, json: { debug_info: { retriable, type, message } } });
}

const uploadTypes: Readonly<Record<string, readonly [type: string, status: number]>> = {
  190: ["NotAuthorizedError", 400],
  389: ["FileUrlProcessingError", 422],
};

/** A rejection by the Graph API, in the format of the upload host for videos. */
export function inUploadWords(error: unknown): unknown {
  if (!(error instanceof Refusal) || "debug_info" in Object(error.answer.json)) return error;
  const [code = ""] = String(error.code).split("/");
  const [type, status] = uploadTypes[code] ?? ["InvalidRequest", 400];
  return uploadRefusal(type, error.message, { status });
}

/**
 * Fetches a file as Meta's networks do: without following redirects, and only if its host reports a fitting type.
 *
 * @param type the start of its type: `image/`
 * @returns null: it cannot be fetched
 */
export async function pullFile(fetchFile: typeof fetch, address: string, type: string): Promise<Uint8Array | null> {
  const file = await fetchedFile(fetchFile, address, {
    "user-agent": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  });
  return file === null || file.type?.startsWith(type) === false ? null : file.bytes;
}
