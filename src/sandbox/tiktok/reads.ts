import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import type { Logins } from "./logins.ts";
import { envelope, refusal, wrongParam } from "./refusal.ts";
import { type Publication, type State, textOf } from "./state.ts";

export interface Reads {
  userInfo(request: SandboxRequest): SandboxAnswer;
  status(request: SandboxRequest): SandboxAnswer;
  videos(request: SandboxRequest): SandboxAnswer;
}

/** Which scope each field takes. https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (2026-11) */
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

export function createReads(state: State, logins: Logins): Reads {
  return {
    userInfo(request) {
      const fields = (request.url.searchParams.get("fields") ?? "").split(",");
      if (fields.some((field) => fieldScopes[field] === undefined)) throw wrongParam("Fields is required.");
      const { open_id, name, username } = logins.accountFor(
        request,
        ...fields.map((field) => fieldScopes[field] ?? ""),
      );
      const all: Readonly<Record<string, string>> = {
        open_id,
        union_id: `union-${open_id}`,
        avatar_url: `https://p16-sign.tiktokcdn.com/${open_id}.jpeg`,
        display_name: name,
        username,
        profile_deep_link: `https://vm.tiktok.com/${open_id}/`,
      };
      return { status: 200, json: envelope({ user: Object.fromEntries(fields.map((field) => [field, all[field]])) }) };
    },

    status(request) {
      const account = logins.accountFor(request);
      const { publish_id } = (jsonBody(request) ?? {}) as { publish_id?: unknown };
      const publication = state.publications.find(({ id }) => id === publish_id);
      if (publication === undefined || state.ways.knowsNoPublication)
        throw refusal(400, "invalid_publish_id", "The publish_id does not exist.");
      if (publication.account !== account)
        throw refusal(400, "token_not_authorized_for_specified_publish_id", "The publish_id is another user's.");
      return withNumbers(envelope(statusJson(state, publication)));
    },

    videos(request) {
      const account = logins.accountFor(request, "video.list");
      const given = (jsonBody(request) ?? {}) as { max_count?: number; cursor?: number };
      const { max_count = 10, cursor = Number.MAX_SAFE_INTEGER } = given;
      if (!Number.isInteger(max_count) || max_count < 1 || max_count > maxCount)
        throw wrongParam("max_count is invalid.");
      const all = state.publications
        .filter((each) => each.account === account && isListed(state, each) && (each.whole_at ?? 0) < cursor)
        .reverse();
      const videos = all.slice(0, max_count);
      const last = videos.at(-1)?.whole_at ?? cursor;
      const fields = (request.url.searchParams.get("fields") ?? "").split(",");
      const data = {
        videos: videos.map((each) => pick(videoJson(each), fields)),
        cursor: last,
        has_more: all.length > max_count,
      };
      return { status: 200, json: envelope(data) };
    },
  };
}

function pick(all: Readonly<Record<string, unknown>>, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)));
}

function videoJson(publication: Publication): Readonly<Record<string, unknown>> {
  const { account, kind, postId, info, whole_at } = publication;
  return {
    id: postId,
    title: kind === "photo" ? (info.title ?? "") : textOf(publication),
    video_description: textOf(publication),
    create_time: Math.floor((whole_at ?? 0) / 1000),
    share_url: `https://www.tiktok.com/@${account.username}/${kind}/${postId}?utm_source=sandbox`,
  };
}

/** Only what everybody sees, and moderation has let through. */
function isListed(state: State, publication: Publication): boolean {
  const isPublic = publication.info.privacy_level === "PUBLIC_TO_EVERYONE" && !publication.isDraft;
  return (
    isPublic && !publication.isDeleted && isModerated(state, publication) && stageOf(state, publication) === "done"
  );
}

function isModerated({ now, ways }: State, { whole_at }: Publication): boolean {
  return whole_at !== null && now() >= whole_at + ways.moderationSeconds * 1000;
}

/** Reads may be behind. */
function stageOf(state: State, { job, whole_at }: Publication): "bytes" | "work" | "done" | "failed" {
  if (job === null || whole_at === null) return "bytes";
  if (!state.jobs.isDone(job) || !state.lag.shows(whole_at)) return "work";
  return job.failure === null ? "done" : "failed";
}

/** https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status (2026-11) */
function statusJson(state: State, publication: Publication): object {
  const { upload, kind, isDraft, job, postId, info } = publication;
  const stage = stageOf(state, publication);
  const bytes = upload === null ? {} : { uploaded_bytes: upload.held };
  if (stage === "bytes" || stage === "work")
    return { status: kind === "video" ? "PROCESSING_UPLOAD" : "PROCESSING_DOWNLOAD", ...bytes };
  if (stage === "failed") return { status: "FAILED", fail_reason: job?.failure, ...bytes };
  if (isDraft) return { status: "SEND_TO_USER_INBOX", ...bytes };
  const isPublic = info.privacy_level === "PUBLIC_TO_EVERYONE" && isModerated(state, publication);
  const ids = isPublic ? { publicaly_available_post_id: [`#${postId}`] } : {};
  return { status: "PUBLISH_COMPLETE", ...ids, ...bytes };
}

/** Ids are numbers of 64 bits there, which JSON of JavaScript's does not write. */
function withNumbers(json: object): SandboxAnswer {
  const text = JSON.stringify(json).replace(/"#(\d+)"/g, "$1");
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, text };
}

/** What is there to be seen by somebody, in the order of publication. */
export function postsOf(state: State): SandboxPost[] {
  return state.publications
    .filter((each) => each.whole_at !== null && !each.isDraft && !each.isDeleted && !hasFailed(state, each))
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

function hasFailed(state: State, { job }: Publication): boolean {
  return job !== null && state.jobs.isDone(job) && job.failure !== null;
}
