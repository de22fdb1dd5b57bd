import * as z from "zod";
import type { NetworkContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { endpoint, jsonBody, readAnswer } from "./api.ts";

/** https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11) */
const creatorSchema = z.object({
  data: z.object({
    creator_username: z.string().nullish(),
    privacy_level_options: z.array(z.string()),
    comment_disabled: z.boolean().nullish(),
    duet_disabled: z.boolean().nullish(),
    stitch_disabled: z.boolean().nullish(),
    max_video_post_duration_sec: z.number().nullish(),
  }),
});

/** The account's current permissions. */
export type Creator = z.infer<typeof creatorSchema>["data"];

/** TikTok requires this request before each post. */
export const creatorRequest: NetworkRequest = {
  method: "POST",
  url: endpoint("post/publish/creator_info/query"),
  body: jsonBody({}),
};

export function creatorIn(response: NetworkResponse): Creator {
  return readAnswer(creatorSchema, response).data;
}

export async function readCreator(context: Pick<NetworkContext, "request">): Promise<Creator> {
  return creatorIn(await context.request(creatorRequest));
}
