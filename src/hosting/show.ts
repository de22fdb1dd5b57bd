import type { Addresses } from "./address.ts";
import type { ShownMedia } from "./rows.ts";
import type { HostedMedia } from "./schema.ts";

/** A file as responses show it. */
export function toHostedMedia({ urlOf }: Addresses, row: ShownMedia): HostedMedia {
  const { id, status, expires_at, size_bytes, created_at } = row;
  const { type, mime_type } = row.private.facts;
  return {
    url: urlOf(id),
    type,
    content_type: mime_type,
    size_bytes,
    status: status === "permanent" ? "permanent" : "temporary",
    expires_at: status === "permanent" ? null : expires_at,
    created_at,
  };
}
