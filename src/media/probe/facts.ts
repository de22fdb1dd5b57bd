/** What the bytes of a picture or video say about it. */
export interface MediaFacts extends MediaDetails {
  type: "image" | "video" | "gif";
  mime_type: string;
  /** Pixels as shown, rotation applied. Null when the bytes that say so were out of reach. */
  width: number | null;
  height: number | null;
  /** Videos only; null when the file does not say. */
  duration_seconds: number | null;
}

/** What only some files say: a field is absent where the file does not, or not within reach. */
export interface MediaDetails {
  /** Has more than one picture: GIF, WebP, PNG, AVIF. */
  is_animated?: boolean;
  /** How many pictures; absent when counting them takes more than the limit of bytes. */
  frames?: number;
  /** How the stored picture is turned to be shown, as EXIF counts: 1 (upright) to 8. Films: 1, 3, 6 or 8. */
  orientation?: number;
  /** Pictures: some of it may be transparent. */
  has_alpha?: boolean;
  /** Pictures: an ICC profile is in the file. */
  has_color_profile?: boolean;
  /** Of the film's first picture track: `h264`, `hevc`, `vp8`, `vp9`, `av1`, …; one that is not known here, as the file names it. */
  codec?: string;
  /** Frames a second, on average. */
  fps?: number;
  /** Bits a second of the whole file, on average. */
  bitrate?: number;
  has_audio?: boolean;
  /** Of the first sound track: `aac`, `opus`, `mp3`, … */
  audio_codec?: string;
  audio_channels?: number;
  /** Hertz. */
  audio_sample_rate?: number;
  /** MP4 and MOV: the index stands before the content, so that playing can begin at once. */
  is_index_first?: boolean;
}

/** Leaves out what nobody knows. */
export function knownDetails(
  details: {
    [Name in keyof MediaDetails]: MediaDetails[Name] | null | undefined;
  },
): MediaDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value != null));
}

/** Bits a second; null where the size or the duration is not known. */
export function bitrateOf({ duration_seconds }: MediaFacts, sizeBytes: number | null): number | null {
  if (sizeBytes === null || duration_seconds === null) return null;
  const bitrate = Math.round((sizeBytes * 8) / duration_seconds);
  return Number.isSafeInteger(bitrate) ? bitrate : null;
}
