import type { MediaFacts } from "../probe/facts.ts";

/**
 * Converts a file so that a network accepts it. It applies the orientation (or keeps it, if it copies the frames),
 * removes the location and the camera, and preserves the appearance of colours.
 */
export interface MediaTransformer {
  /** The kind of its results. A service uses the first transformer that can make the change. */
  readonly makes: MediaChange["kind"];
  /** MIME types that it can convert. A file of another type is rejected when it is planned. */
  readonly reads: readonly string[];
  /** Name and version of the tool, such as `sharp 0.34.5`: another version may produce other bytes from the same file. */
  version(): Promise<string>;
  /**
   * What a file would lose that its owner may not expect, each as the rest of a sentence about the file with advice;
   * `validate` shows it. Called when a post is planned, with the facts from the file's bytes. Absent: nothing.
   */
  warnings?(file: MediaFacts, change: MediaChange): Promise<readonly string[]>;
  /**
   * May read the source several times; the caller reads the result once, or cancels it.
   *
   * @throws PublishingError `media_error` whose message is the rest of a sentence about the file: its problem, or
   * that it cannot be made small enough, and the remedy · `internal_error`, its message of the same form, if the tool
   * or the machine is the cause; with `isPassing` it is retried · the signal's reason
   */
  transform(source: TransformSource, change: MediaChange, options: { signal: AbortSignal }): Promise<TransformedMedia>;
}

/** A file that does not change while it is read, with the facts from its bytes. */
export interface TransformSource extends MediaFacts {
  /** The file's size. */
  size_bytes: number;
  /** The bytes from `from` to `to`, excluding `to`; default: all. */
  read(range?: { from: number; to?: number }): Promise<ReadableStream<Uint8Array>>;
}

/** The result of a conversion. */
export interface TransformedMedia {
  /** The caller reads it to its end, or cancels it. */
  body: ReadableStream<Uint8Array>;
  /** Its exact size. */
  size_bytes: number;
}

/** The target of a conversion. */
export type MediaChange = ImageChange | VideoChange;

/** A conversion to a still image. */
export interface ImageChange {
  /** The kind of the result. */
  kind: "image";
  /** Its format. */
  mime_type: "image/jpeg" | "image/png" | "image/webp";
  /** Pixels as shown, at most those of the source. */
  width: number;
  /** Pixels as shown, at most those of the source. */
  height: number;
  /** Quality is lowered until it fits. */
  max_bytes: number;
}

/** A conversion to a video. */
export interface VideoChange {
  /** The kind of the result. */
  kind: "video";
  /** With the index first; H.264 and AAC unless streams are copied. */
  mime_type: "video/mp4";
  /** Pixels as shown, even, at most those of the source. */
  width: number;
  /** Pixels as shown, even, at most those of the source. */
  height: number;
  /** Maximum frames a second. Null: those of the source. */
  max_fps: number | null;
  /**
   * Exact frames a second, if the source has fewer than the network accepts; frames are then repeated. Absent: those
   * of the source.
   */
  fps?: number;
  /**
   * The network accepts the video track, so it is copied with its rotation. `sound`: the audio is copied as well, or
   * encoded as AAC with at most two channels of at most 48 kHz. If the result is too large, or the transformer cannot
   * copy, everything is encoded. Absent: everything is encoded.
   */
  remux?: { sound: "copy" | "encode" };
  /** Maximum bits a second, video and audio together. Null: as many as the quality needs. */
  max_bitrate: number | null;
  /** Quality is lowered until it fits. */
  max_bytes: number;
}
