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
