/**
 * Where hosted media files are kept. Files are written whole under a key that
 * is not used twice, read in parts, and deleted; they are not changed.
 *
 * A key has 1 to 200 characters of `a-z 0-9 / _ . -`, in steps divided by
 * single slashes, none of which begins or ends with a dot. Any other key, and
 * any other argument that is wrong, is a TypeError that names it.
 */
export interface MediaStore {
  /**
   * Keeps a file, whole or not at all: after a failure, an abort or the death
   * of the process, `head` shows what it showed before. What was there under
   * the key is replaced. The body is read only as fast as it is written, and
   * cancelled when it is not needed to its end. When the store's last answer
   * is lost the file may be there, whole, in spite of the failure.
   *
   * @throws MediaStoreFailure · the signal's reason · what the body fails with · what `remember` throws
   */
  put(key: string, body: ReadableStream<Uint8Array>, options: PutOptions): Promise<{ size_bytes: number }>;
  /** Null when there is no such file. */
  head(key: string): Promise<StoredMedia | null>;
  /**
   * The bytes of the file, or those of the range. Null when there is no such
   * file. Read the stream to its end or cancel it: it may hold a connection.
   */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /**
   * Deletes the file. With a handle that `remember` was given, also what a
   * `put` under this key has left or is still writing; such a `put` fails.
   * Does no harm when nothing is there.
   */
  delete(key: string, options?: { handle?: string | undefined }): Promise<void>;
  /** An address from which anyone can fetch the file by GET, with ranges, for a time. Whether the file is there is not looked at. */
  address?(key: string, options: AddressOptions): Promise<string>;
  /**
   * Lets somebody else write the file, by one PUT to the address with these
   * headers and exactly so many bytes; where the store can see to it, once: what
   * is there is not written over.
   */
  upload?(key: string, options: UploadOptions): Promise<DirectUpload>;
}

/** How a file is kept. */
export interface PutOptions {
  /** `type/subtype`, without parameters, 127 characters at most. */
  contentType: string;
  /** Null: not known. A body that is longer or shorter is a failure (`wrong_length`). */
  sizeBytes: number | null;
  /**
   * Awaited before anything is written that outlives this process unfinished,
   * once at most: write the handle down, and give it to `delete` if this `put`
   * is never heard of again.
   */
  remember(handle: string): Promise<void>;
  /** Ends the writing with its reason. */
  signal?: AbortSignal | undefined;
}

/** What a store knows of a file. */
export interface StoredMedia {
  /** Of the whole file. */
  size_bytes: number;
  /** As `put` was told. */
  content_type: string;
}

/**
 * Bytes `from` to `to`, `to` not among them, as `slice` counts; `to` must be
 * greater than `from`. What lies beyond the file's end is left out, if need be all of it.
 */
export interface ByteRange {
  /** The first byte, from 0. */
  from: number;
  /** Behind the last byte. @default the file's end */
  to?: number | undefined;
}

/** What an address is to hold for. */
export interface AddressOptions {
  /** How long the address holds; 1 to 604,800 (a week). */
  seconds: number;
  /** What the answer says the file is. @default what `put` was told */
  contentType?: string | undefined;
  /** The name under which a browser saves the file instead of showing it: 1 to 200 characters. */
  download?: string | undefined;
}

/** What somebody else is to write. */
export interface UploadOptions {
  /** As in `PutOptions`; an upload of another type is refused. */
  contentType: string;
  /** An upload of another length is refused. */
  sizeBytes: number;
  /** How long the address holds; 1 to 604,800 (a week). */
  seconds: number;
}

/** How somebody else writes a file. */
export interface DirectUpload {
  /** Gets the PUT; holds for as long as was asked. */
  upload_url: string;
  /** To be sent as they are. `Content-Length` is not among them, since whoever sends the file sets it. */
  headers: Record<string, string>;
}

/**
 * `wrong_length`: the body was longer or shorter than `sizeBytes` · `removed`:
 * the upload was deleted by its handle while it ran · `refused`: the store
 * will say the same again · `unavailable`: the same may work in a while.
 */
export type MediaStoreFailureReason = "wrong_length" | "removed" | "refused" | "unavailable";

/** A store did not do what it was asked. Its message and cause hold no secret and no signed address. */
export class MediaStoreFailure extends Error {
  override readonly name = "MediaStoreFailure";
  /** Whether the same may work in a while, or why not. */
  readonly reason: MediaStoreFailureReason;

  constructor(reason: MediaStoreFailureReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
