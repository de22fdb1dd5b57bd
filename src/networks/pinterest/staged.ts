/** Under which names `stage` keeps what it made. */
export const names = {
  /** Where Pinterest fetches a picture. */
  address: (index: number) => `address_${index}`,
  /** Where it fetches the cover of a video. */
  cover: "cover",
  /** A video that was uploaded. */
  media: "media_id",
  /** Who sees the board. */
  privacy: "privacy",
} as const;
