import { jsonBody, type SandboxAnswer } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import { pickFields } from "../parts/fields.ts";
import { type Route, route } from "../parts/routes.ts";
import type { Logins } from "./logins.ts";
import { envelope, refusal, success, wrongParam } from "./refusal.ts";
import { api, type Publication, type State, textOf } from "./state.ts";

/** The scope that each field requires. https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (2026-11) */
const fieldScopes: Readonly<Record<string, string>> = {
  open_id: "user.info.basic",
  union_id: "user.info.basic",
  avatar_url: "user.info.basic",
  display_name: "user.info.basic",
  username: "user.info.profile",
  profile_deep_link: "user.info.profile",
};

/** https://developers.tiktok.com/doc/tiktok-api-v2-video-list (2026-11) */
const maxCount = 20;

export function readRoutes(state: State, logins: Logins): Route[] {
  return [
    route("userInfo", `GET ${api}/user/info/`, (request) => {
      const fields = (request.url.searchParams.get("fields") ?? "").split(",");
      if (fields.some((field) => fieldScopes[field] === undefined)) throw wrongParam("Fields is required.");
      const scopes = fields.map((field) => fieldScopes[field] ?? "");
      const { open_id, name, username } = logins.accountFor(request, ...scopes);
      const all: Readonly<Record<string, string>> = {
        open_id,
        union_id: `union-${open_id}`,
        avatar_url: `https://p16-sign.tiktokcdn.com/${open_id}.jpeg`,
        display_name: name,
        username,
        profile_deep_link: `https://vm.tiktok.com/${open_id}/`,
      };
      return success({ user: Object.fromEntries(fields.map((field) => [field, all[field]])) });
    }),

    route("fetchStatus", `POST ${api}/post/publish/status/fetch/`, (request) => {
      const account = logins.accountFor(request);
      const { publish_id } = (jsonBody(request) ?? {}) as { publish_id?: unknown };
      const publication = state.publications.find(({ id }) => id === publish_id);
      if (publication === undefined || state.ways.knowsNoPublication)
        throw refusal(400, "invalid_publish_id", "The publish_id does not exist.");
      if (publication.account !== account)
        throw refusal(400, "token_not_authorized_for_specified_publish_id", "The publish_id is another user's.");
      return withNumbers(envelope(statusJson(state, publication)));
    }),

    route("listVideos", `POST ${api}/video/list/`, (request) => {
      const account = logins.accountFor(request, "video.list");
      const given = (jsonBody(request) ?? {}) as { max_count?: number; cursor?: number };
      const { max_count = 10, cursor = Number.MAX_SAFE_INTEGER } = given;
      if (!Number.isInteger(max_count) || max_count < 1 || max_count > maxCount)
        throw wrongParam("max_count is invalid.");
      const all = state.publications
        .filter((each) => each.account === account && isListed(state, each) && (each.whole_at ?? 0) < cursor)
        .reverse();
      const videos = all.slice(0, max_count);
      const fields = (request.url.searchParams.get("fields") ?? "").split(",");
      return success({
        videos: videos.map((each) => pickFields(videoJson(each), fields)),
        cursor: videos.at(-1)?.whole_at ?? cursor,
        has_more: all.length > max_count,
      });
    }),
  ];
}

function videoJson(publication: Publication): object {
  const { account, kind, postId, info, whole_at } = publication;
  return {
    id: postId,
    title: kind === "photo" ? (info.title ?? "") : textOf(publication),
    video_description: textOf(publication),
    create_time: Math.floor((whole_at ?? 0) / 1000),
    share_url: `https://www.tiktok.com/@${account.username}/${kind}/${postId}?utm_source=sandbox`,
  };
}

/** True: the post is public and has passed moderation. */
function isListed(state: State, publication: Publication): boolean {
  const isPublic = publication.info.privacy_level === "PUBLIC_TO_EVERYONE" && !publication.isDraft;
  return isPublic && isModerated(state, publication) && stageOf(state, publication) === "done";
}

function isModerated({ now, ways }: State, { whole_at }: Publication): boolean {
  return whole_at !== null && now() >= whole_at + ways.moderationSeconds * 1000;
}

/** Reads may lag. */
function stageOf({ jobs, lag }: State, { job, whole_at }: Publication): "working" | "done" | "failed" {
  return job === null || whole_at === null || !lag.shows(whole_at) ? "working" : jobs.stateOf(job);
}

/** https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status (2026-11) */
function statusJson(state: State, publication: Publication): object {
  const { upload, kind, isDraft, job, postId, info } = publication;
  const stage = stageOf(state, publication);
  const uploaded_bytes = upload?.held;
  if (stage === "working")
    return { status: kind === "video" ? "PROCESSING_UPLOAD" : "PROCESSING_DOWNLOAD", uploaded_bytes };
  if (stage === "failed") return { status: "FAILED", fail_reason: job?.failure, uploaded_bytes };
  if (isDraft) return { status: "SEND_TO_USER_INBOX", uploaded_bytes };
  const isPublic = info.privacy_level === "PUBLIC_TO_EVERYONE" && isModerated(state, publication);
  const publicaly_available_post_id = isPublic ? [`#${postId}`] : undefined;
  return { status: "PUBLISH_COMPLETE", publicaly_available_post_id, uploaded_bytes };
}

/** TikTok writes ids as 64-bit numbers, which JavaScript's JSON cannot write. */
function withNumbers(json: object): SandboxAnswer {
  const text = JSON.stringify(json).replace(/"#(\d+)"/g, "$1");
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, text };
}

/** The visible posts, in the order of publication. */
export function postsOf({ publications, jobs }: State): SandboxPost[] {
  return publications
    .filter(({ job, isDraft }) => job !== null && !isDraft && jobs.stateOf(job) !== "failed")
    .sort((one, other) => (one.whole_at ?? 0) - (other.whole_at ?? 0))
    .map((each) => ({
      id: each.postId,
      account: each.account.open_id,
      text: textOf(each),
      media: each.files,
      alt: [],
      reply_to: null,
      url: `https://www.tiktok.com/@${each.account.username}/${each.kind}/${each.postId}`,
      created_at: new Date(each.whole_at ?? 0).toISOString(),
    }));
}
