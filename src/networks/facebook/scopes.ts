import type { ScopesByPurpose } from "../shared/scopes.ts";

/** Pages of a business portfolio are reached by the last of them alone. */
const pages = ["pages_show_list", "pages_read_engagement", "business_management"];

/** A first comment takes the right to comment. https://developers.facebook.com/docs/pages-api/posts (2026-09), …/comments-mentions (2026-04) */
export const scopes: ScopesByPurpose = {
  publish: [...pages, "pages_manage_posts", "pages_manage_engagement"],
  inbox: [...pages, "pages_manage_engagement", "pages_read_user_content", "pages_messaging", "pages_manage_metadata"],
};

/** Without these nothing is published, or nobody knows what became of it. */
export const neededToPublish = ["pages_manage_posts", "pages_read_engagement"] as const;
