import type { SandboxPost } from "../network.ts";
import { externalIdOf } from "./accounts.ts";
import type { Poll, StoredStatus } from "./entities.ts";
import type { MediaStore } from "./media.ts";
import type { Visibility } from "./ways.ts";

/** A post with all its fields; requested options may have been ignored. */
export interface MastodonPost extends SandboxPost {
  /**
   * The text as the instance stores it: without the URL of an image that became an attachment. `text` is the text as
   * sent.
   */
  source: string;
  /** Its visibility. */
  visibility: Visibility;
  /** Its content warning; empty: none. */
  spoiler_text: string;
  /** True: its files are hidden until clicked. */
  sensitive: boolean;
  /** ISO 639; null: not stated. */
  language: string | null;
  /** Null: it has none. */
  poll: Poll | null;
  /** The id of the quoted post. */
  quoted: string | null;
  /** In display order. */
  files: MastodonFile[];
}

/** A file as a post shows it now. */
export interface MastodonFile {
  /** The id on the server. */
  id: string;
  /** The SHA-256 of the shown bytes, hex; null: the file is on another host. */
  sha256: string | null;
  /** The SHA-256 of a video's own cover, hex; null: it has none. */
  coverSha256: string | null;
  /** False: another file has replaced the attached one. */
  is_original: boolean;
  /** The URL in the text from which it was created; null: it was uploaded. */
  address: string | null;
}

export function toPost(status: StoredStatus, { current }: MediaStore): MastodonPost {
  const { id, account, sent, text, media, visibility, spoiler_text, sensitive, language, poll } = status;
  return {
    id,
    account: externalIdOf(account),
    text: sent,
    source: text,
    media: media.length,
    alt: media.map((file) => current(file).description ?? ""),
    reply_to: status.reply_to?.id ?? null,
    url: `https://${account.instance.host}/@${account.username}/${id}`,
    created_at: new Date(status.created_at).toISOString(),
    visibility,
    spoiler_text,
    sensitive,
    language,
    poll,
    quoted: status.quoted?.id ?? null,
    files: media.map((file) => {
      const shown = current(file);
      return {
        id: file.id,
        sha256: shown.sha256,
        coverSha256: shown.coverSha256,
        is_original: shown === file,
        address: shown.address,
      };
    }),
  };
}
