/**
 * A store for hosted media files. Files are written whole under keys that are never reused, read in parts, and
 * deleted; they are not changed.
 *
 * A key has 1 to 200 characters of `a-z 0-9 / _ . -`, in steps separated by single slashes, none of which begins or
 * ends with a dot. For any other key, and for any other invalid argument, a store throws a TypeError that names it.
 */
export interface MediaStore {
  /**
   * Stores a file, whole or not at all: after a failure, an abort or the death of the process, `head` returns what it
   * returned before. A file under the same key is replaced. The body is read only as fast as it is written, and
   * cancelled if the rest is not needed. If the store's last response is lost, the whole file may exist despite the
   * failure.
   *
   * @throws MediaStoreFailure · the signal's reason · the body's error · the error of `remember`
   */
  put(key: string, body: ReadableStream<Uint8Array>, options: PutOptions): Promise<{ size_bytes: number }>;
  /** Null: there is no such file. */
  head(key: string): Promise<StoredMedia | null>;
  /**
   * The bytes of the file, or of the range. Null: there is no such file. Read the stream to its end or cancel it: it
   * may hold a connection.
   */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /**
   * Deletes the file. With a handle that `remember` received, also deletes what a `put` under this key has left or is
   * still writing; that `put` then fails. Harmless if nothing is there.
   */
  delete(key: string, options?: { handle?: string | undefined }): Promise<void>;
  /**
   * Creates a URL from which anyone can fetch the file by GET, with ranges, for a limited time. It does not check
   * whether the file exists.
   */
  address?(key: string, options: AddressOptions): Promise<string>;
  /**
   * Lets another client upload the file, by one PUT to the URL with these headers and exactly this many bytes. If the
   * store supports it, only once: an existing file is not overwritten.
   */
  upload?(key: string, options: UploadOptions): Promise<DirectUpload>;
}

/** How to store a file. */
export interface PutOptions {
  /** `type/subtype`, without parameters, 127 characters at most. */
  contentType: string;
  /** Null: unknown. A body of another length is a failure (`wrong_length`). */
  sizeBytes: number | null;
  /**
   * Awaited before anything is written that would remain if this process died. Called once at most. Save the handle,
   * and pass it to `delete` if the outcome of this `put` stays unknown.
   */
  remember(handle: string): Promise<void>;
  /** Aborts the upload with its reason. */
  signal?: AbortSignal | undefined;
}

/** A stored file's facts. */
export interface StoredMedia {
  /** Size of the whole file. */
  size_bytes: number;
  /** As passed to `put`. */
  content_type: string;
}

/**
 * Bytes `from` to `to`, excluding `to`, as in `slice`; `to` must be greater than `from`. A range beyond the file's
 * end is truncated, if necessary to nothing.
 */
export interface ByteRange {
  /** The first byte, from 0. */
  from: number;
  /** The position after the last byte. @default the file's end */
  to?: number | undefined;
}

/** What a signed URL allows. */
export interface AddressOptions {
  /** How long the URL is valid; 1 to 604,800 (a week). */
  seconds: number;
  /** The `Content-Type` of the response. @default as passed to `put` */
  contentType?: string | undefined;
  /** The file name under which browsers save the file instead of showing it: 1 to 200 characters. */
  download?: string | undefined;
}

/** The upload that a client may make. */
export interface UploadOptions {
  /** As in `PutOptions`; an upload of another type is rejected. */
  contentType: string;
  /** An upload of another length is rejected. */
  sizeBytes: number;
  /** How long the URL is valid; 1 to 604,800 (a week). */
  seconds: number;
}

/** How a client uploads a file directly. */
export interface DirectUpload {
  /** URL for the PUT, valid for the requested time. */
  upload_url: string;
  /** Headers that the client must send unchanged. `Content-Length` is not included, since the client sets it. */
  headers: Record<string, string>;
}

/**
 * `wrong_length`: the body was longer or shorter than `sizeBytes` · `removed`: the upload was deleted by its handle
 * while it ran · `refused`: a retry would fail too · `unavailable`: a retry may succeed later.
 */
export type MediaStoreFailureReason = "wrong_length" | "removed" | "refused" | "unavailable";

/** A store failed. Its message and cause contain no secret and no signed URL. */
export class MediaStoreFailure extends Error {
  override readonly name = "MediaStoreFailure";
  /** Whether a retry may succeed, or why not. */
  readonly reason: MediaStoreFailureReason;

  constructor(reason: MediaStoreFailureReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
