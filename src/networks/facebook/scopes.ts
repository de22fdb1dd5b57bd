import type { ScopesByPurpose } from "../shared/scopes.ts";

/** Pages of business portfolios are accessible only with `business_management`. */
const pages = ["pages_show_list", "pages_read_engagement", "business_management"];

/**
 * `pages_manage_engagement` is for the first comment. https://developers.facebook.com/docs/pages-api/posts (2026-09),
 * …/comments-mentions (2026-04)
 */
export const scopes: ScopesByPurpose = {
  publish: [...pages, "pages_manage_posts", "pages_manage_engagement"],
  inbox: [...pages, "pages_manage_engagement", "pages_read_user_content", "pages_messaging", "pages_manage_metadata"],
};

/** Required to publish, and to look for posts whose responses were lost. */
export const neededToPublish = ["pages_manage_posts", "pages_read_engagement"] as const;
