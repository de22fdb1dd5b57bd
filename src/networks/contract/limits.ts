/** The kind of post. */
export type PostType = "post" | "reel" | "story";
export const mediaTypes = ["image", "video", "gif"] as const;
/** The type of a file at a network. */
export type MediaType = (typeof mediaTypes)[number];

/**
 * Chroma subsampling of a video: how many colour values there are per brightness value. As many in `4:4:4`, half in
 * `4:2:2`, a quarter in `4:2:0`, none in `4:0:0`.
 */
export type Chroma = "4:0:0" | "4:2:0" | "4:2:2" | "4:4:4";

/** How long a text may be, and how the network counts it. */
export interface TextRule {
  /** 0: posts have no text. Text in a request is dropped, with a warning. */
  max: number;
  /**
   * - `graphemes`: what a reader sees as one character
   * - `utf16`: JavaScript's `length`
   * - `utf8`: bytes
   * - `weighted`: X's count (CJK and emoji 2, a URL `url_length`)
   * - `emoji_bytes`: code points, but an emoji counts its UTF-8 bytes
   */
  unit: "graphemes" | "utf16" | "utf8" | "weighted" | "emoji_bytes";
  /** An additional limit, in UTF-8 bytes. */
  max_bytes?: number;
  /** Every link counts as this many, regardless of its length. */
  url_length?: number;
  /** `@user@host` counts as `@user`. */
  bare_mentions?: boolean;
}

/** Limits for videos that a network recommends but may not enforce. */
export type AdvisedBound = "profiles" | "chromas" | "max_audio_channels" | "max_audio_sample_rate" | "index_first";

/** One file type that the network accepts. */
export interface MediaRule {
  /** The type of the file at the network. */
  type: MediaType;
  /** The media type of its bytes: `image/jpeg`. One rule for each. */
  mime: string;
  /** Smaller files are rejected. If a network says MB without defining it, the stricter reading applies, here and below. */
  min_bytes?: number;
  /** Larger files are rejected, or made smaller. */
  max_bytes: number;
  /** Pixels as shown. */
  min_width?: number;
  /** Pixels as shown. */
  max_width?: number;
  /** Pixels as shown. */
  min_height?: number;
  /** Pixels as shown. */
  max_height?: number;
  /** Pixels of the shorter side, as shown. */
  max_short_side?: number;
  /** Width times height. */
  max_pixels?: number;
  /** Width divided by height: 0.8 for 4:5. */
  min_aspect?: number;
  /** Width divided by height: 1.91 for a wide image. */
  max_aspect?: number;
  /** Videos only. */
  min_seconds?: number;
  /** Videos only. */
  max_seconds?: number;
  /** Codecs of the video track, named as in `MediaDetails`: `h264`. A property that the file does not state is not checked, here and below. */
  codecs?: readonly string[];
  /** Accepted profiles of each codec, named as in `MediaDetails`. A codec without an entry: all profiles. */
  profiles?: Readonly<Record<string, readonly string[]>>;
  /** Accepted chroma subsampling: `4:2:0`. */
  chromas?: readonly Chroma[];
  /** Codecs of the audio track, if there is one. */
  audio_codecs?: readonly string[];
  /** 2: mono or stereo. */
  max_audio_channels?: number;
  /** Hertz. */
  max_audio_sample_rate?: number;
  /** True: in MP4 and MOV, the index must stand before the content. */
  index_first?: boolean;
  /**
   * Limits that the network recommends and is not known to enforce. A transformer makes a file that meets them. Without
   * a transformer the file goes out unchanged, and `validate` warns. Absent: a file that exceeds any limit is rejected.
   */
  advised?: readonly AdvisedBound[];
  /** Average frames per second, so a recording of a still screen has few. A file's rate is rounded, so that 59.94 and 60.02 are 60. */
  min_fps?: number;
  /** Frames per second, rounded as for `min_fps`. */
  max_fps?: number;
  /** Average bits per second of the whole file. */
  max_bitrate?: number;
  /** Frames in one file, for animations. */
  max_frames?: number;
  /** The network shows it differently than the caller may expect; `validate` says so. The value describes how. */
  action?: string;
  /** Different rules for an animated image of this type: GIF, PNG, WebP or AVIF. */
  moving?: Partial<Pick<MediaRule, "type" | "max_pixels" | "max_frames" | "action">>;
  /** True: the network fetches the file from a public URL (`StageContext.signedUrl`). */
  pulled?: boolean;
}

/** The rule of most networks for animated images: they show a copy that they make. None of their pages says so (unconfirmed). */
export const shownStill: NonNullable<MediaRule["moving"]> = {
  action: "shown as a still image; use a video to have it animated",
};

/** A file other than those of `media`: the cover of a video, or a file that an option names. */
export interface FileRule {
  /** Accepted media types: `image/jpeg`. */
  mimes: readonly string[];
  /** Larger files are rejected. */
  max_bytes: number;
  /** True: the network fetches it from a public URL (`StageContext.signedUrl`). */
  pulled?: boolean;
}

/** Which files one post may have. */
export interface MediaSpec {
  /** Posts need at least this many files. @default 0 */
  min_items?: number;
  /** Posts may have at most this many files; 0: none. */
  max_items: number;
  /** Maximum number of files of each type in one post. Absent: `max_items`. */
  max_of_type?: Partial<Record<MediaType, number>>;
  /** `any`: one post may mix types · `one_type`: all files of one post are of one type. */
  mixing: "any" | "one_type";
  /** The accepted file types. */
  types: readonly MediaRule[];
  /** Videos may have a cover (`thumbnail_url`). Absent: no covers. A given one is dropped, with a warning. */
  cover?: FileRule;
  /** Maximum length of alt text, in UTF-16 units. */
  max_alt?: number;
  /** Maximum size of all files of one post together. */
  max_total_bytes?: number;
}

/**
 * Limits of one account or instance that differ from the network's defaults, as read when the profile was connected or
 * checked.
 */
export interface ProfileLimits {
  /** Overrides of the spec's text rule. */
  text?: Partial<TextRule>;
  /** Overrides of the spec's media rules. */
  media?: Partial<Omit<MediaSpec, "mixing">>;
}
