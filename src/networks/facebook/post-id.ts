/** A post is called by its Page and its own number; some answers leave the Page out. https://developers.facebook.com/docs/pages-api/posts (2026-09) */
export function postIdIn(pageId: string, id: string): string {
  return id.includes("_") ? id : `${pageId}_${id}`;
}
