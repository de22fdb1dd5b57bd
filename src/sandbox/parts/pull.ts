/** As Meta fetches a file: directly, without following a redirect. Null: it is not there, or is of another type. */
export async function pullAsFacebook(
  fetchFile: typeof fetch,
  address: string,
  type: "image/" | "video/",
): Promise<Uint8Array | null> {
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
