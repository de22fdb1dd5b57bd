import { graphRefusal } from "./graph.ts";

/** A film comes whole, and says how long it is. @throws Refusal */
export function assertWhole(headers: Headers, bytes: Uint8Array): void {
  if (headers.get("offset") !== "0") throw graphRefusal(100, "(#100) The header offset is not 0");
  if (bytes.length === 0 || headers.get("file_size") !== String(bytes.length))
    throw graphRefusal(100, "(#100) The header file_size is not what was sent");
}

/**
 * Fetches a file as Meta's networks do: without following a redirect, and only when what its host says of it fits.
 *
 * @param type the start of its type: `image/`
 * @returns null: it cannot be had
 */
export async function pullFile(fetchFile: typeof fetch, address: string, type: string): Promise<Uint8Array | null> {
  try {
    const response = await fetchFile(address, {
      headers: { "user-agent": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)" },
      redirect: "manual",
    });
    const contentType = response.headers.get("content-type");
    if (response.status !== 200 || (contentType !== null && !contentType.startsWith(type))) return null;
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    return null;
  }
}
