import type { Json } from "../../wire/json.ts";
import type { Chroma, MediaType, PostType } from "./limits.ts";

/**
 * Parts of a file that may hold its location and cannot be removed: a timed track of positions · the video embedded in
 * an image · a compressed text that cannot be opened · data that is nested too deep, or broken.
 */
export type LocationLeft = "timed_track" | "hidden_video" | "compressed_text" | "out_of_reach";

/** Properties that only some files have. Absent: the file does not state it, or not within the bytes read. */
export interface MediaDetails {
  /** True: more than one frame. GIF, WebP, PNG, AVIF, HEIC. */
  is_animated?: boolean;
  /** Number of frames. Absent: counting them would exceed the limit of bytes. */
  frames?: number;
  /** The EXIF orientation: 1 (upright) to 8. Videos: 1, 3, 6 or 8. */
  orientation?: number;
  /** Images: true if parts may be transparent. */
  has_alpha?: boolean;
  /** Images: true if the file has an ICC profile. */
  has_color_profile?: boolean;
  /** Codec of the first video track: `h264`, `hevc`, `vp8`, `vp9`, `av1`, …; an unknown one by its name in the file. */
  codec?: string;
  /**
   * Profile of `codec`, which says which decoders can show it. H.264: `baseline`, `main`, `extended`, `high`,
   * `high-10`, `high-4:2:2`, `high-4:4:4`, `cavlc-4:4:4` · HEVC: `main`, `main-10`, `main-still-picture`,
   * `range-extensions` · AV1: `main`, `high`, `professional` · VP9: `0` to `3`. WebM does not state it for VP8 and VP9.
   */
  profile?: string;
  /** Chroma subsampling. */
  chroma?: Chroma;
  /** Bits of each brightness value: 8 to 15; mostly 8, and 10 in HDR. */
  bit_depth?: number;
  /**
   * Average frames per second: the number of frames divided by the duration. Matroska and WebM: as the file states.
   * Absent: not stated, or not within the first bytes.
   */
  fps?: number;
  /** The transfer function of HDR: hybrid log-gamma or perceptual quantizer (ITU-R BT.2100). Absent: SDR, or the file does not say. */
  color_transfer?: "hlg" | "pq";
  /** Average bits per second of the whole file. */
  bitrate?: number;
  /** Videos: true if there is an audio track. */
  has_audio?: boolean;
  /** Codec of the first audio track: `aac`, `opus`, `mp3`, … */
  audio_codec?: string;
  /** 1 is mono, 2 stereo. */
  audio_channels?: number;
  /** Hertz. */
  audio_sample_rate?: number;
  /** True: in MP4 and MOV, the index stands before the content, so playback can start immediately. */
  is_index_first?: boolean;
  /** True: the file holds its location, in a form that can be removed. Absent: none was found, but not all of the file was read. */
  has_location?: boolean;
  /** Other parts that may hold the location and cannot be removed. Absent: none. */
  location_left?: readonly LocationLeft[];
}

/** The source of a file, and the properties that it must still have. A changed file is rejected. */
export interface MediaSource {
  /** The caller's URL. */
  url: string;
  /** From the bytes. Absent: any type is accepted. */
  mime_type?: string;
  /** Null: its host does not say. */
  size_bytes?: number | null;
  /** The ETag that its host returned when the file was inspected. */
  etag?: string;
  /** False: the file was searched and holds no location. Absent: unknown. */
  has_location?: boolean;
  /** The stored copy, which is read instead. It was stored before anything was sent and no longer changes. */
  stored?: StoredFile;
}

/** A file in the host's media store. */
export interface StoredFile {
  /** Its key in the media store. The bytes under a key never change. */
  key: string;
}

/** One media file of a post, inspected. */
export interface PlannedMedia extends MediaDetails, MediaSource {
  /** The type of the file at the network, from the bytes. */
  type: MediaType;
  /** From the bytes, never from the name. */
  mime_type: string;
  /** Null: its host does not say. */
  size_bytes: number | null;
  /** The alt text. Null: the caller gave none. */
  alt: string | null;
  /** The URL of a video's cover. Null: none was given. */
  thumbnail_url: string | null;
  /** From the cover's bytes: `image/jpeg`. Absent: the network accepts no covers. */
  thumbnail_mime_type?: string;
  /** The cover that is sent, stored before anything was sent. Absent: not stored. */
  thumbnail_stored?: StoredFile;
  /** Pixels as shown, after rotation. Null: not within the bytes read. */
  width: number | null;
  /** Pixels as shown, after rotation. Null: not within the bytes read. */
  height: number | null;
  /** Videos only. Null: the file does not say, or it is an image. */
  duration_seconds: number | null;
}

/** The link of a post and the content of its card. Null fields: not given by the host. */
export interface PlannedLink {
  /** The card's target. */
  url: string;
  /** The card's first line. */
  title: string | null;
  /** The card's text. */
  description: string | null;
  /** The card's image. */
  image_url: string | null;
  /** The inspected image. Null: it cannot be converted to what the network accepts. Absent: it could not be read, or the network accepts none. */
  picture?: LinkPicture | null;
}

/** The image of a link's card. Once stored, it is sent unchanged. */
export interface LinkPicture extends MediaSource {
  /** From the bytes. */
  mime_type: string;
}

/** The options of an unspecified network. Its own schema has parsed them. */
export type AnyOptions = Record<string, unknown>;

/** A post for one network, overrides applied. `Options`: the output of the adapter's schema. */
export interface PlanInput<Options = AnyOptions> {
  /** The caption. Empty: none. */
  text: string;
  /** Null: none was given. */
  title: string | null;
  /** Null: none was given. */
  link: PlannedLink | null;
  /** The posts of a thread, in order. Null: no thread. */
  thread: readonly string[] | null;
  /** True: a caption that is too long may become a thread. */
  auto_thread: boolean;
  /** In the order in which they are shown. */
  media: readonly PlannedMedia[];
  /** The requested kind of post. */
  post_type: PostType;
  /** Parsed by the adapter's `options`. */
  options: Options;
}

/** The content that one request makes public: a post, or one post of a thread. `Options`: the output of the adapter's schema. */
export interface Part<Options = AnyOptions> {
  /**
   * `comment`: a comment under the first part · `entry`: adds the first part to something, such as a playlist; it has
   * no text. Absent: the post itself, or a reply in its thread.
   */
  role?: "comment" | "entry";
  /** Its text. Empty: none. */
  text: string;
  /** Its files, in the order in which they are shown. */
  media: PlannedMedia[];
  /** The link. Null: none. */
  link: PlannedLink | null;
  /** Null: none. */
  title: string | null;
  /** The kind of post. */
  post_type: PostType;
  /** Parsed by the adapter's `options`. */
  options: Options;
  /** The files that its options name (`NetworkSpec.option_files`). Absent: none. */
  option_files?: readonly MediaSource[];
}

/** A live part. */
export interface PublishedPart {
  /** The network's own id, which is shown in `post_ids`. Null: the network has not returned it, and may never do so. */
  id: string | null;
  /** Permalink. */
  url: string | null;
  /** Data that a reply to it needs in addition to the id. */
  ref: Json;
  /** Changes that the network made to the post, for humans. Shown on the target. */
  warnings?: string[];
}

/** A live part whose id is known. */
export interface IdentifiedPart extends PublishedPart {
  /** The network's own id, which is shown in `post_ids`. */
  id: string;
}

/** The parts that one request made public. */
export interface Published extends PublishedPart {
  /** The parts after the first, in order. Absent: none. */
  following?: PublishedPart[];
}
