import { png } from "../media/samples.ts";
import type { SnacAccount } from "./snac.ts";
import type { SnacFront } from "./snac-front.ts";
import { trustingFetch } from "./trusting-fetch.ts";

/** A post that the account's owner makes with another program. */
export interface PostByHand {
  text: string;
  picture: boolean;
  visibility: string;
}

/** @returns its URL */
export async function postByHand(front: SnacFront, account: SnacAccount, post: PostByHand): Promise<string> {
  const headers = { authorization: `Bearer ${account.access_token}` };
  const call = async (path: string, body: FormData): Promise<{ id: string; uri: string }> => {
    const response = await trustingFetch(`https://${front.host}${path}`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as { id: string; uri: string };
  };
  const fields = new FormData();
  fields.set("status", post.text);
  fields.set("visibility", post.visibility);
  if (post.picture) {
    const upload = new FormData();
    upload.set("file", new Blob([png(5, 5)], { type: "image/png" }), "photo.png");
    fields.set("media_ids[]", (await call("/api/v2/media", upload)).id);
  }
  return (await call("/api/v1/statuses", fields)).uri;
}
