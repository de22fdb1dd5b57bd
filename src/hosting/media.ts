import * as z from "zod";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { type Page, toPage } from "../wire/pagination.ts";
import { parseInput, storableText } from "../wire/parse.ts";
import { createDirectUpload } from "./direct.ts";
import { eraseOrLeave } from "./erase.ts";
import { assertOwnFile, findOwnFile } from "./find.ts";
import type { HostingPorts } from "./ports.ts";
import { deletion, shownOrRetired, unlessUsedAnew } from "./retire.ts";
import { findMediaRows, isUsed, type ShownMedia, shownStatuses } from "./rows.ts";
import {
  type CreateUpload,
  createUploadSchema,
  type HostedMedia,
  type ListMedia,
  listMediaSchema,
  type MediaUpload,
} from "./schema.ts";
import { toHostedMedia } from "./show.ts";
import { type SignedUrl, signedAddress, signedUrlSchema } from "./signed-url.ts";
import { openSource, type UploadSource } from "./source.ts";
import { uploadFile } from "./upload.ts";

const uploadOptionsSchema = z.strictObject({
  filename: storableText.max(255).nullish(),
  content_type: z.string().max(255).nullish(),
});

/** Optional metadata of an upload. It decides nothing: the type of a file comes from its bytes. */
export interface UploadOptions {
  /** The file's name at the caller. Not stored. */
  filename?: string | null | undefined;
  /** The type that the caller expects. The bytes decide. */
  content_type?: string | null | undefined;
}

/** The hosted files of one account. */
export interface Media {
  /**
   * Stores an image or video for 24 hours, or for good once a post that uses it is published. The source is read
   * once, as fast as it is written. A rejected file is deleted. `{ path }` is a file on this machine.
   *
   * @example
   * const { url } = await social.media.upload({ path: "photo.jpg" });
   * await social.posts.create({ profile_ids: [id], text: "Hello", media: [url] });
   *
   * @throws SocialError `invalid_request` with the detail `media_error` for a file that is not an image or video, or
   * corrupt; with status 413 beyond `maxFileBytes` or `maxAccountBytes`, 408 after `idleMs` without a byte
   * @throws SocialError `rate_limited` beyond `maxUploads` concurrent uploads
   */
  upload(source: UploadSource, options?: UploadOptions): Promise<HostedMedia>;
  /**
   * Creates a URL with which another client, such as a browser, uploads a file directly to the store. The file is
   * checked when it is first requested or used in a post.
   *
   * @throws SocialError `unsupported` if the store has no such URLs
   */
  createUpload(body: CreateUpload): Promise<MediaUpload>;
  /** Newest first. Empty without a `mediaStore`. */
  list(query?: ListMedia): Promise<Page<HostedMedia>>;
  /** The file's current state. @throws SocialError `not_found` */
  get(url: string): Promise<HostedMedia>;
  /**
   * Deletes a file. Networks keep their copies.
   *
   * @throws SocialError `not_found`; `conflict` while a post that is a draft, scheduled or being published uses it
   */
  delete(url: string): Promise<void>;
  /**
   * A URL from which anyone can fetch the file for a limited time, without a key: the store's if it has signed URLs,
   * otherwise the file's `url`, signed if media are private.
   *
   * @throws SocialError `not_found`
   */
  signedUrl(url: string, options: SignedUrl): Promise<string>;
}

/** How often a file's use may change during its deletion. */
const maxConflicts = 20;

/** Maximum number of an account's expired files that are marked before its list is read. */
const retiredAtOnce = 100;

export function createMedia(ports: HostingPorts, accountId: string): Media {
  const { storage, addresses, slots } = ports;
  const show = (row: ShownMedia): HostedMedia => toHostedMedia(addresses, row);
  return {
    async upload(source, options = {}) {
      parseInput(uploadOptionsSchema, options, { noun: "option" });
      return slots.hold(accountId, async () =>
        show(await uploadFile(ports, accountId, await openSource(ports, source))),
      );
    },
    createUpload: (body) => createDirectUpload(ports, accountId, parseInput(createUploadSchema, body)),
    async list(query = {}) {
      const { limit, offset } = parseInput(listMediaSchema, query);
      await retireExpired(ports, accountId);
      const where = { account_id: accountId, status: { in: shownStatuses } };
      const { rows, total } = await storage.find("media", { where, limit, offset });
      const files = rows.map((row) => show(fromRow<ShownMedia>(row)));
      return toPage(files, total, { limit, offset });
    },
    get: async (url) => show(await assertOwnFile(ports, accountId, url)),
    delete: (url) => deleteFile(ports, accountId, url),
    async signedUrl(url, options) {
      const given = parseInput(signedUrlSchema, options);
      const { id: key, private: state } = await assertOwnFile(ports, accountId, url);
      return signedAddress(ports, { key, mime_type: state.facts.mime_type }, given);
    },
  };
}

/** Hides expired files from the list, as `get` does. */
async function retireExpired(ports: HostingPorts, accountId: string): Promise<void> {
  const now = await ports.storage.now();
  const where = { account_id: accountId, status: "temporary", due_at: { lte: now } };
  const expired = await findMediaRows(ports.storage, where, { limit: retiredAtOnce });
  for (const row of expired) await shownOrRetired(ports, row, now);
}

async function deleteFile(ports: HostingPorts, accountId: string, url: string): Promise<void> {
  const { storage } = ports;
  const attempt = async (last: unknown): Promise<string | null> => {
    const row = await findOwnFile(ports, accountId, url);
    // Another call has deleted it meanwhile.
    if (row === null && last !== null) return null;
    if (row === null) throw new SocialError("not_found", "This account has no such file.");
    if (await isUsed(storage, row.id)) throw inUse();
    await storage.write([unlessUsedAnew(row, deletion(await storage.now()))]);
    return row.id;
  };
  const key = await retryConflicts(attempt, { max: maxConflicts });
  if (key !== null) await eraseOrLeave(ports, key);
}

function inUse(): SocialError {
  return new SocialError("conflict", "A post that is a draft, scheduled or being published uses the file.");
}
