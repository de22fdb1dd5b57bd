/** The names under which `stage` keeps its results. */
export const names = {
  /** The URN of the file at this index, once it can be posted. */
  media: (index: number) => `media_${index}`,
  /** The URN of the document. */
  document: "document",
  /** The URN of the link card's image. Null: the card goes out without one. */
  thumb: "thumb",
};
