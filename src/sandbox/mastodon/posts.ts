import type { SandboxPost } from "../network.ts";
import { externalIdOf } from "./accounts.ts";
import type { Poll, StoredStatus } from "./entities.ts";
import type { MediaStore } from "./media.ts";
import type { Visibility } from "./ways.ts";

/** A post with all that stands there: what was asked for may have been passed over. */
export interface MastodonPost extends SandboxPost {
  /** Its text as the instance keeps it: without an image's address that became an attachment. `text` is what was sent. */
  source: string;
  /** Who may see it. */
  visibility: Visibility;
  /** Its content warning; empty: none. */
  spoiler_text: string;
  /** Its files are hidden at first. */
  sensitive: boolean;
  /** ISO 639; null: not said. */
  language: string | null;
  /** Null: it has none. */
  poll: Poll | null;
  /** The post that it quotes. */
  quoted: string | null;
  /** In the order in which they are shown. */
  files: MastodonFile[];
}

/** A file as a post shows it now. */
export interface MastodonFile {
  /** As the server names it. */
  id: string;
  /** Of the bytes that are shown, hex; null: it lies elsewhere. */
  sha256: string | null;
  /** Of a video's own cover, hex; null: it was given none. */
  coverSha256: string | null;
  /** False: another file has taken the place of the one that was attached. */
  is_original: boolean;
  /** The address in the text that it was made from; null: it was uploaded. */
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
