/** The names under which `stage` keeps what it made. */
export const names = {
  /** The name at LinkedIn of the file of this place, once it can be posted. */
  media: (index: number) => `media_${index}`,
  /** Of the document. */
  document: "document",
  /** Of the picture of the link card; null: it goes out without one. */
  thumb: "thumb",
};
