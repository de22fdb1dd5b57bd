/** A file as its host gave it. */
export interface FetchedFile {
  bytes: Uint8Array;
  /** What its host says that it is; null: nothing. */
  type: string | null;
}

/** Fetches what an address names, without following a redirect, as networks do. Null: it cannot be had. */
export async function fetchedFile(
  fetchFile: typeof fetch,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FetchedFile | null> {
  try {
    const response = await fetchFile(address, { headers, redirect: "manual" });
    if (response.status !== 200) return null;
    return { bytes: new Uint8Array(await response.arrayBuffer()), type: response.headers.get("content-type") };
  } catch {
    return null;
  }
}
