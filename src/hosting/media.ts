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

/** What a caller may know of a file. Neither decides anything: what a file is comes from its bytes. */
export interface UploadOptions {
  /** What the caller calls it. Not kept. */
  filename?: string | null | undefined;
  /** What the caller takes it for. The bytes decide. */
  content_type?: string | null | undefined;
}

/** The files that the service keeps for one account. */
export interface Media {
  /**
   * Keeps a picture or video for 24 hours, or for good once a post that uses
   * it is out. It is read once, as fast as it is written; of a file that is
   * refused nothing stays. `{ path }` is a file of this machine.
   *
   * @example
   * const { url } = await social.media.upload({ path: "photo.jpg" });
   * await social.posts.create({ profile_ids: [id], text: "Hello", media: [url] });
   *
   * @throws SocialError `invalid_request` with the detail `media_error` for what is no picture or video, or broken; with
   * status 413 beyond `maxFileBytes` or `maxAccountBytes`, 408 after `idleMs` without a byte
   * @throws SocialError `rate_limited` beyond `maxUploads` at once
   */
  upload(source: UploadSource, options?: UploadOptions): Promise<HostedMedia>;
  /**
   * Lets somebody else, a browser for instance, send a file to the store itself.
   * The file is looked at when it is first asked for, or named in a post.
   *
   * @throws SocialError `unsupported` where the store cannot do it
   */
  createUpload(body: CreateUpload): Promise<MediaUpload>;
  /** Newest first; without a `mediaStore`, none. */
  list(query?: ListMedia): Promise<Page<HostedMedia>>;
  /** The file as it now stands. @throws SocialError `not_found` */
  get(url: string): Promise<HostedMedia>;
  /**
   * Deletes a file. What networks have of it stays with them.
   *
   * @throws SocialError `not_found`; `conflict` while a post that is a draft, scheduled or being published uses it
   */
  delete(url: string): Promise<void>;
  /**
   * An address from which anyone can fetch the file for a time, without a key:
   * the store's own where it has one, else the file's `url`, signed where media are private.
   *
   * @throws SocialError `not_found`
   */
  signedUrl(url: string, options: SignedUrl): Promise<string>;
}

/** How often a file's use may change while it is deleted. */
const maxConflicts = 20;

/** Expired files of an account that are marked before its list is read. */
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

/** So that the list shows none that `get` would not. */
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
