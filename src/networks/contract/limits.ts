/** What kind of post it is. */
export type PostType = "post" | "reel" | "story";
export const mediaTypes = ["image", "video", "gif"] as const;
/** What a file is to a network. */
export type MediaType = (typeof mediaTypes)[number];

/**
 * Of a video's pictures, how many values of colour stand beside those of brightness:
 * as many in `4:4:4`, half in `4:2:2`, a quarter in `4:2:0`, none in `4:0:0`.
 */
export type Chroma = "4:0:0" | "4:2:0" | "4:2:2" | "4:4:4";

/** How long a text may be, and how the network counts it. */
export interface TextRule {
  /** 0: there is no text; one that is given is left out, with a warning. */
  max: number;
  /**
   * - `graphemes`: what a reader sees as one character
   * - `utf16`: JavaScript's `length`
   * - `utf8`: bytes
   * - `weighted`: X's count (CJK and emoji 2, a URL `url_length`)
   * - `emoji_bytes`: code points, but an emoji counts its UTF-8 bytes
   */
  unit: "graphemes" | "utf16" | "utf8" | "weighted" | "emoji_bytes";
  /** Besides, at most this many UTF-8 bytes. */
  max_bytes?: number;
  /** Every link counts as this many, whatever its length. */
  url_length?: number;
  /** `@user@host` counts as `@user`. */
  bare_mentions?: boolean;
}

/** What a network asks of videos besides, and may not insist on. */
export type AdvisedBound = "profiles" | "chromas" | "max_audio_channels" | "max_audio_sample_rate" | "index_first";

/** One kind of file that the network takes. */
export interface MediaRule {
  /** What the file is to the network. */
  type: MediaType;
  /** The type of its bytes: `image/jpeg`. One rule for each. */
  mime: string;
  /** Smaller files are refused. Where a network says MB and not which, the stricter reading, here and below. */
  min_bytes?: number;
  /** Larger files are refused, or made smaller. */
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
  /** Width divided by height: 1.91 for a wide picture. */
  max_aspect?: number;
  /** Of a video. */
  min_seconds?: number;
  /** Of a video. */
  max_seconds?: number;
  /** Of the picture, as `MediaDetails` names them: `h264`. What a file does not say is not checked, here and below. */
  codecs?: readonly string[];
  /** Of a codec, the profiles that are taken, as `MediaDetails` names them; of one that is not named here, all. */
  profiles?: Readonly<Record<string, readonly string[]>>;
  /** How much of the colour the pictures may keep: `4:2:0`. */
  chromas?: readonly Chroma[];
  /** Of the sound, where there is any. */
  audio_codecs?: readonly string[];
  /** 2: mono or stereo. */
  max_audio_channels?: number;
  /** Hertz. */
  max_audio_sample_rate?: number;
  /** True: in MP4 and MOV, the index stands before the content. */
  index_first?: boolean;
  /**
   * Bounds that the network asks for, and is not known to refuse a file for. A transformer makes a file that keeps them;
   * without one the file goes out as it is, and `validate` warns. Absent: what does not keep a bound is refused.
   */
  advised?: readonly AdvisedBound[];
  /** Frames a second on average, so that a recording of a still screen has few; a file's rate is rounded, so that 59.94 and 60.02 are 60. */
  min_fps?: number;
  /** Frames a second, rounded as for `min_fps`. */
  max_fps?: number;
  /** Bits a second of the whole file, on average. */
  max_bitrate?: number;
  /** Pictures in one file: animations. */
  max_frames?: number;
  /** Shown otherwise than the caller may expect; `validate` says so. */
  action?: string;
  /** What differs for a picture of this kind that moves: an animated GIF, PNG, WebP or AVIF. */
  moving?: Partial<Pick<MediaRule, "type" | "max_pixels" | "max_frames" | "action">>;
  /** True: the network fetches such a file itself, from an address on the internet (`StageContext.signedUrl`). */
  pulled?: boolean;
}

/** What most networks make of pictures that move: they show a copy of their own. No page of theirs says so (unconfirmed). */
export const shownStill: NonNullable<MediaRule["moving"]> = {
  action: "shown as a still image; use a video to have it animated",
};

/** What a file beside those of `media` may be: the cover of a video, or one that an option names. */
export interface FileRule {
  /** The types of its bytes: `image/jpeg`. */
  mimes: readonly string[];
  /** Larger ones are refused. */
  max_bytes: number;
  /** True: the network fetches it itself, from an address on the internet (`StageContext.signedUrl`). */
  pulled?: boolean;
}

/** Which files one post may have. */
export interface MediaSpec {
  /** Posts need at least this many files. @default 0 */
  min_items?: number;
  /** Posts may have at most this many files; 0: none. */
  max_items: number;
  /** How many of each type one post may have; absent: `max_items`. */
  max_of_type?: Partial<Record<MediaType, number>>;
  /** `any`: types may stand side by side · `one_type`: all files of one post are of one type. */
  mixing: "any" | "one_type";
  /** The kinds of files that are taken. */
  types: readonly MediaRule[];
  /** Videos may have a cover (`thumbnail_url`). Absent: none; one that is given is left out, with a warning. */
  cover?: FileRule;
  /** Alt text, in UTF-16 units. */
  max_alt?: number;
  /** All files of one post together. */
  max_total_bytes?: number;
}

/**
 * What one account or instance allows beyond (or short of) its network's
 * default, as read when the profile was connected or checked.
 */
export interface ProfileLimits {
  /** What replaces the spec's rule for text. */
  text?: Partial<TextRule>;
  /** What replaces the spec's rules for files. */
  media?: Partial<Omit<MediaSpec, "mixing">>;
}
