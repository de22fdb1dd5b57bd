/** The names of the values that `stage` stores. */
export const names = {
  /** The URL from which Pinterest downloads an image. */
  address: (index: number) => `address_${index}`,
  /** The URL from which it downloads the cover of a video. */
  cover: "cover",
  /** The id of an uploaded video. */
  media: "media_id",
  /** The board's visibility. */
  privacy: "privacy",
} as const;
