/**
 * A post's id consists of its Page's id and its own number; some responses omit the Page.
 * https://developers.facebook.com/docs/pages-api/posts (2026-09)
 */
export function postIdIn(pageId: string, id: string): string {
  return id.includes("_") ? id : `${pageId}_${id}`;
}
