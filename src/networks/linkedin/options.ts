import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
export const options = documentedObject({
  /** Who sees the post: `PUBLIC` (default), `LOGGED_IN` (members of LinkedIn), or `CONNECTIONS` (a member's own). */
  visibility: z
    .enum(["PUBLIC", "LOGGED_IN", "CONNECTIONS"])
    .optional()
    .describe(
      "Who sees the post: `PUBLIC` (default), `LOGGED_IN` (members of LinkedIn), or `CONNECTIONS` (a member's own).",
    ),
  /** Where it is shown: `MAIN_FEED` (default), or `NONE`, so that only who has its address sees it. */
  feed_distribution: z
    .enum(["MAIN_FEED", "NONE"])
    .optional()
    .describe("Where it is shown: `MAIN_FEED` (default), or `NONE`, so that only who has its address sees it."),
  /** Nobody can share the post on. Default false. */
  disable_reshares: z.boolean().optional().describe("Nobody can share the post on. Default false."),
});

export type LinkedinOptions = z.infer<typeof options>;
