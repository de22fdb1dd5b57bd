import type { Json } from "../../wire/json.ts";
import type { Chroma, MediaType, PostType } from "./limits.ts";

/**
 * What in a file may say where it was made, and is sent as it is: a track of positions · the video behind a picture ·
 * a compressed text that cannot be opened · what lies too far inside, or is broken.
 */
export type LocationLeft = "timed_track" | "hidden_video" | "compressed_text" | "out_of_reach";

/** What only some files say: a field is absent where the file does not, or not within reach. */
export interface MediaDetails {
  /** Has more than one picture: GIF, WebP, PNG, AVIF, HEIC. */
  is_animated?: boolean;
  /** How many pictures; absent when counting them takes more than the limit of bytes. */
  frames?: number;
  /** How the stored picture is turned to be shown, as EXIF counts: 1 (upright) to 8. Videos: 1, 3, 6 or 8. */
  orientation?: number;
  /** Pictures: some of it may be transparent. */
  has_alpha?: boolean;
  /** Pictures: an ICC profile is in the file. */
  has_color_profile?: boolean;
  /** Of the video's first picture track: `h264`, `hevc`, `vp8`, `vp9`, `av1`, …; one that is not known here, as the file names it. */
  codec?: string;
  /**
   * Of `codec`, which decoders can show it. H.264: `baseline`, `main`, `extended`, `high`, `high-10`, `high-4:2:2`,
   * `high-4:4:4`, `cavlc-4:4:4` · HEVC: `main`, `main-10`, `main-still-picture`, `range-extensions` ·
   * AV1: `main`, `high`, `professional` · VP9: `0` to `3`. WebM does not say it of VP8 and VP9.
   */
  profile?: string;
  /** How much of the colour the pictures keep. */
  chroma?: Chroma;
  /** Bits of each value of brightness: 8 to 15; mostly 8, and 10 in HDR. */
  bit_depth?: number;
  /** Frames a second: all of them, over how long they are shown. Matroska and WebM: as the file says. Absent: it does not say, or not in few bytes. */
  fps?: number;
  /** HDR: how light is coded, hybrid log-gamma or perceptual quantizer (ITU-R BT.2100). Absent: SDR, or the file does not say. */
  color_transfer?: "hlg" | "pq";
  /** Bits a second of the whole file, on average. */
  bitrate?: number;
  /** Videos: there is a sound track. */
  has_audio?: boolean;
  /** Of the first sound track: `aac`, `opus`, `mp3`, … */
  audio_codec?: string;
  /** 1 is mono, 2 stereo. */
  audio_channels?: number;
  /** Hertz. */
  audio_sample_rate?: number;
  /** MP4 and MOV: the index stands before the content, so that playing can begin at once. */
  is_index_first?: boolean;
  /** It says where it was made, in what can be removed. Absent: not all of it was within reach, and what was does not say it. */
  has_location?: boolean;
  /** What else may say where it was made, and cannot be removed. Absent: nothing. */
  location_left?: readonly LocationLeft[];
}

/** Where a file is read from, and what it must still be: another one is refused. */
export interface MediaSource {
  /** The caller's address of it. */
  url: string;
  /** From the bytes. Absent: any will do. */
  mime_type?: string;
  /** Null when its host does not tell. */
  size_bytes?: number | null;
  /** The version that its host named when it was looked at. */
  etag?: string;
  /** False: it was looked through, and does not say where it was made. Absent: nobody knows. */
  has_location?: boolean;
  /** It is read from here instead: it was kept before anything was sent, and no longer changes. */
  stored?: StoredFile;
}

/** A file in the host's media store. */
export interface StoredFile {
  /** Its key in the media store, which names bytes that never change. */
  key: string;
}

/** One media file of a post, measured. */
export interface PlannedMedia extends MediaDetails, MediaSource {
  /** What it is to a network; from the bytes. */
  type: MediaType;
  /** From the bytes, never from the name. */
  mime_type: string;
  /** Null when its host does not tell. */
  size_bytes: number | null;
  /** What it shows, in words; null: the caller gave none. */
  alt: string | null;
  /** The cover of a video; null: none was given. */
  thumbnail_url: string | null;
  /** From the cover's bytes: `image/jpeg`. Absent: the network takes none. */
  thumbnail_mime_type?: string;
  /** The cover as it is sent: kept before anything was. Absent: not kept. */
  thumbnail_stored?: StoredFile;
  /** Pixels as shown, rotation applied; null: not within reach. */
  width: number | null;
  /** Pixels as shown, rotation applied; null: not within reach. */
  height: number | null;
  /** Of a video; null: the file does not say, or it is a picture. */
  duration_seconds: number | null;
}

/** The link of a post, and what its card says; null where the host gave nothing. */
export interface PlannedLink {
  /** Where the card leads. */
  url: string;
  /** The card's first line. */
  title: string | null;
  /** The card's text. */
  description: string | null;
  /** The card's picture. */
  image_url: string | null;
  /** The same, looked at. Null: it cannot be made into what the network takes. Absent: it could not be read, or the network takes none. */
  picture?: LinkPicture | null;
}

/** The picture of a link's card, as it is sent once it was kept. */
export interface LinkPicture extends MediaSource {
  /** From the bytes. */
  mime_type: string;
}

/** What is known of the options of a network that may be any: its own schema has parsed them. */
export type AnyOptions = Record<string, unknown>;

/** A post as one network is to see it, overrides applied. `Options`: as the adapter's schema gives them. */
export interface PlanInput<Options = AnyOptions> {
  /** The caption; empty: there is none. */
  text: string;
  /** Null: none was given. */
  title: string | null;
  /** Null: none was given. */
  link: PlannedLink | null;
  /** The posts of a thread, as they are to go out; null: it is none. */
  thread: readonly string[] | null;
  /** A caption that is too long may become a thread. */
  auto_thread: boolean;
  /** In the order in which they are shown. */
  media: readonly PlannedMedia[];
  /** What kind of post is asked for. */
  post_type: PostType;
  /** Parsed by the adapter's `options`. */
  options: Options;
}

/** What one request makes public: a post, or one element of a thread. `Options`: as the adapter's schema gives them. */
export interface Part<Options = AnyOptions> {
  /**
   * `comment`: stands under the first part · `entry`: puts the first part somewhere, as into a playlist; it says nothing.
   * Absent: the post itself, or a reply in its thread.
   */
  role?: "comment" | "entry";
  /** What it says; empty: nothing. */
  text: string;
  /** Its files, in the order in which they are shown. */
  media: PlannedMedia[];
  /** The link that it carries; null: none. */
  link: PlannedLink | null;
  /** Null: it has none. */
  title: string | null;
  /** What kind of post it is. */
  post_type: PostType;
  /** Parsed by the adapter's `options`. */
  options: Options;
  /** The files that its options name (`NetworkSpec.option_files`). Absent: none. */
  option_files?: readonly MediaSource[];
}

/** A part that is live. */
export interface PublishedPart {
  /** The network's own id, as it appears in `post_ids`. Null: the network has not told it, and may never do. */
  id: string | null;
  /** Permalink. */
  url: string | null;
  /** Whatever a reply to it needs besides the id. */
  ref: Json;
  /** What the network made of it otherwise than asked, for humans: shown on the target. */
  warnings?: string[];
}

/** A part that is live, of which the network has told the id. */
export interface IdentifiedPart extends PublishedPart {
  /** The network's own id, as it appears in `post_ids`. */
  id: string;
}

/** What one request made public: its part, and those that went out with it. */
export interface Published extends PublishedPart {
  /** The parts behind it, in order. Absent: it went out alone. */
  following?: PublishedPart[];
}
