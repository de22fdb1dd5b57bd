/** What the bytes of a picture or video say about it. */
export interface MediaFacts {
  type: "image" | "video" | "gif";
  mime_type: string;
  /** Pixels as shown, rotation applied. Null when the bytes that say so were out of reach. */
  width: number | null;
  height: number | null;
  /** Videos only; null when the file does not say. */
  duration_seconds: number | null;
  /** Of an animated PNG. */
  frames?: number;
}
