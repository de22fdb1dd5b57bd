/** The names of the values that `stage` stores. */
export const names = {
  /** The media id of the file with this index, once it can be attached. */
  media: (index: number) => `media_${index}`,
  /** False: X rejected the alt text of this file. */
  described: (mediaId: string) => `described_${mediaId}`,
};
