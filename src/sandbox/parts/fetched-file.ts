/** A file as its host returned it. */
export interface FetchedFile {
  bytes: Uint8Array;
  /** The type that its host reports; null: none. */
  type: string | null;
}

/** Fetches a URL without following redirects, as networks do. Null: it cannot be fetched. */
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
