/** The names under which `stage` keeps what it made. */
export const names = {
  /** The id of the medium that the file of this place became, once it can be attached. */
  media: (index: number) => `media_${index}`,
  /** False: X rejected the alt text of this medium. */
  described: (mediaId: string) => `described_${mediaId}`,
};
