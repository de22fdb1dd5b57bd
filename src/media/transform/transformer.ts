import type { MediaFacts } from "../probe/facts.ts";

/**
 * Makes another file out of one, so that a network takes it. It applies the
 * orientation (or keeps it, where it copies pictures) and leaves out where and with which camera a picture was taken;
 * its colours stay as they look.
 */
export interface MediaTransformer {
  /** What it makes. A service asks the first one that makes what is needed. */
  readonly makes: MediaChange["kind"];
  /** The formats of which it can make that, as MIME types: a file of another one is refused when it is planned. */
  readonly reads: readonly string[];
  /** Name and version of the tool, such as `sharp 0.34.5`: another version may make other bytes of the same file. */
  version(): Promise<string>;
  /**
   * What a file is going to lose that its owner may not expect, each the rest of a sentence about the file with what to
   * do; `validate` shows it. Asked when a post is planned, of what the file's bytes say. Absent: nothing.
   */
  warnings?(file: MediaFacts, change: MediaChange): Promise<readonly string[]>;
  /**
   * Reads the source as often as it needs to; the result is read once, or cancelled.
   *
   * @throws PublishingError `media_error` whose message is the rest of a sentence about the file: what is wrong with it,
   *   or that it cannot be made small enough, and what to do · `internal_error`, its message of the same form, where the
   *   tool or the machine is to blame; with `isPassing` it is tried again · the signal's reason
   */
  transform(source: TransformSource, change: MediaChange, options: { signal: AbortSignal }): Promise<TransformedMedia>;
}

/** A file that does not change while it is read, with what its bytes say of it. */
export interface TransformSource extends MediaFacts {
  /** How long it is. */
  size_bytes: number;
  /** The bytes from `from` to `to`, `to` not among them; default: all. */
  read(range?: { from: number; to?: number }): Promise<ReadableStream<Uint8Array>>;
}

/** What came out. */
export interface TransformedMedia {
  /** Read to its end, or cancelled. */
  body: ReadableStream<Uint8Array>;
  /** How long it is, exactly. */
  size_bytes: number;
}

/** What a file is made into. */
export type MediaChange = ImageChange | VideoChange;

/** A still picture. */
export interface ImageChange {
  /** What is made. */
  kind: "image";
  /** Its format. */
  mime_type: "image/jpeg" | "image/png" | "image/webp";
  /** Pixels as shown, at most what the source has. */
  width: number;
  /** Pixels as shown, at most what the source has. */
  height: number;
  /** Quality is lowered until it fits. */
  max_bytes: number;
}

/** A video. */
export interface VideoChange {
  /** What is made. */
  kind: "video";
  /** With its index first, and H.264 pictures and AAC sound unless they are copied. */
  mime_type: "video/mp4";
  /** Pixels as shown, even, at most what the source has. */
  width: number;
  /** Pixels as shown, even, at most what the source has. */
  height: number;
  /** Frames a second at most. Null: as many as the source has. */
  max_fps: number | null;
  /** Frames a second, exactly: the source has fewer than the network takes, so that pictures are repeated. Absent: as the source has them. */
  fps?: number;
  /**
   * The pictures are as the network takes them and are copied, with how they are turned. `sound`: copied as well, or
   * encoded as AAC with at most two channels of at most 48 kHz. Where that comes out too large, and by a transformer that cannot copy, all is encoded. Absent: all is encoded.
   */
  remux?: { sound: "copy" | "encode" };
  /** Bits a second at most, pictures and sound together. Null: as the quality needs. */
  max_bitrate: number | null;
  /** Quality is lowered until it fits. */
  max_bytes: number;
}
