import * as z from "zod";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { fetchedFile } from "../parts/fetched-file.ts";
import { readAs } from "../parts/fields.ts";
import { pictureSize } from "../parts/picture-size.ts";
import { type Route, route } from "../parts/routes.ts";
import { formatOf } from "../parts/uploads.ts";
import type { Logins } from "./logins.ts";
import { refusal, success, wrongParam } from "./refusal.ts";
import { type Account, addPublication, api, type PrivacyLevel, type Publication, type State } from "./state.ts";

const privacy = z.enum(["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"]);
const shared = {
  privacy_level: privacy,
  disable_comment: z.boolean().optional(),
  brand_content_toggle: z.boolean(),
  brand_organic_toggle: z.boolean(),
};

/**
 * https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11); other fields are rejected,
 * unlike by the real one.
 */
const videoInfo = z.strictObject({
  ...shared,
  title: z.string().max(2_200).optional(),
  disable_duet: z.boolean().optional(),
  disable_stitch: z.boolean().optional(),
  video_cover_timestamp_ms: z.int().min(0).max(2_147_483_647).optional(),
  is_aigc: z.boolean().optional(),
});
const fileUpload = z.strictObject({
  source: z.literal("FILE_UPLOAD"),
  video_size: z.int().min(1).max(4_000_000_000),
  chunk_size: z.int().min(1),
  total_chunk_count: z.int().min(1).max(1_000),
});
const videoSchema = z.strictObject({ post_info: videoInfo, source_info: fileUpload });
const inboxSchema = z.object({ source_info: fileUpload });

/** https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11) */
const photoWords = { title: z.string().max(90).optional(), description: z.string().max(4_000).optional() };
const photoSource = z.strictObject({
  source: z.literal("PULL_FROM_URL"),
  photo_images: z.array(z.url()).min(1).max(35),
  photo_cover_index: z.int().min(0),
});
const photosSchema = z.discriminatedUnion("post_mode", [
  z.strictObject({
    media_type: z.literal("PHOTO"),
    post_mode: z.literal("DIRECT_POST"),
    post_info: z.strictObject({ ...shared, ...photoWords, auto_add_music: z.boolean().optional() }),
    source_info: photoSource,
  }),
  z.strictObject({
    media_type: z.literal("PHOTO"),
    post_mode: z.literal("MEDIA_UPLOAD"),
    post_info: z.object(photoWords),
    source_info: photoSource,
  }),
]);

/** https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11) */
const maxChunkBytes = 64_000_000;
const maxPhotoBytes = 20_000_000;
/** A single larger image ends the whole post. https://github.com/gitroomhq/postiz-app/pull/1875 (2026-08) */
const maxShortSide = 1_080;
/** https://developers.tiktok.com/doc/content-posting-api-reference-upload-video (2026-11) */
const maxPendingDrafts = 5;
const dayMs = 86_400_000;

export function publicationRoutes(state: State, logins: Logins, fetchFile: typeof fetch): Route[] {
  function read<Schema extends z.ZodType>(request: SandboxRequest, schema: Schema): z.output<Schema> {
    const isJson = /^application\/json; ?charset=utf-8$/i.test(request.headers.get("content-type") ?? "");
    const body = isJson ? jsonBody(request) : undefined;
    return readAs(schema, body, ([{ path }]) => wrongParam(`The request is malformed: ${path.join(".")}.`));
  }

  /** @throws Refusal with the status 200 from creator_info */
  function assertMayPost(account: Account, status = 403): void {
    if (state.quota.isUsedUp())
      throw refusal(429, "rate_limit_exceeded", "The API rate limit was exceeded. Please try again later.");
    if (state.ways.capIsReached)
      throw refusal(status, "reached_active_user_cap", "The daily quota for active publishing users is reached.");
    if (account.isBanned)
      throw refusal(status, "spam_risk_user_banned_from_posting", "The user is banned from making new posts.");
    const { postsPerDay } = state.ways;
    const today = state.publications.filter(
      ({ account: owner, created_at, isDraft }) => owner === account && !isDraft && state.now() - created_at < dayMs,
    );
    if (postsPerDay !== null && today.length >= postsPerDay)
      throw refusal(status, "spam_risk_too_many_posts", "The daily post cap from the API is reached.");
  }

  function assertInfo(account: Account, info: { privacy_level: PrivacyLevel; brand_content_toggle: boolean }): void {
    if (!levelsOf(account).includes(info.privacy_level))
      throw refusal(403, "privacy_level_option_mismatch", "privacy_level is not one of creator_info's options.");
    if (!state.ways.isAudited && !(account.isPrivate && info.privacy_level === "SELF_ONLY"))
      throw refusal(
        403,
        "unaudited_client_can_only_post_to_private_accounts",
        "Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/",
      );
    if (info.brand_content_toggle && info.privacy_level === "SELF_ONLY")
      throw wrongParam("Branded content visibility cannot be set to private.");
  }

  function assertDrafts(account: Account): void {
    const pending = state.publications.filter(
      (each) => each.account === account && each.isDraft && state.now() - each.created_at < dayMs,
    );
    if (pending.length >= maxPendingDrafts)
      throw refusal(403, "spam_risk_too_many_pending_share", "There may be at most 5 pending shares within 24 hours.");
  }

  function beginUpload(
    given: Pick<Publication, "account" | "isDraft" | "info">,
    form: string,
    source: z.output<typeof fileUpload>,
  ): SandboxAnswer {
    assertChunks(source);
    const { video_size: total, chunk_size: chunk, total_chunk_count: count } = source;
    const publication = addPublication(state, { ...given, id: `${form}.${state.digits(19)}`, kind: "video", files: 1 });
    const token = `${state.digits(12)}${publication.postId}`;
    publication.upload = { token, total, chunk, count, held: 0, bytes: new Uint8Array(total) };
    const upload_url = `https://open-upload.tiktokapis.com/video/?upload_id=${publication.postId}&upload_token=${token}`;
    return success({ publish_id: publication.id, upload_url });
  }

  function assertChunks({ video_size, chunk_size, total_chunk_count }: z.output<typeof fileUpload>): void {
    const isWhole = chunk_size === video_size;
    // Enforced since August 2026. https://github.com/DayMoonDevelopment/post-for-me/issues/327
    if (total_chunk_count === 1 && !isWhole) throw wrongParam("The chunk size is invalid.");
    const isInRange = chunk_size <= maxChunkBytes && (isWhole || chunk_size >= state.ways.minChunkBytes);
    if (!isInRange || chunk_size > video_size) throw wrongParam("The chunk size is invalid.");
    if (total_chunk_count !== Math.floor(video_size / chunk_size))
      throw wrongParam("The total chunk count is invalid.");
  }

  /** The reason why the images cannot be used; null: they are valid. */
  async function pullAll(addresses: readonly string[]): Promise<string | null> {
    for (const address of addresses) {
      const { bytes } = (await fetchedFile(fetchFile, address)) ?? { bytes: new Uint8Array() };
      const isTaken = ["jpeg", "webp"].includes(formatOf(bytes) ?? "") && bytes.length <= maxPhotoBytes;
      if (!isTaken) return "photo_pull_failed";
      const size = pictureSize(bytes);
      if (size !== null && Math.min(size.width, size.height) > maxShortSide) return "picture_size_check_failed";
    }
    return null;
  }

  return [
    route("creatorInfo", `POST ${api}/post/publish/creator_info/query/`, (request) => {
      const account = logins.accountFor(request, "video.publish");
      assertMayPost(account, 200);
      return success({
        creator_avatar_url: `https://p16-sign.tiktokcdn.com/${account.open_id}.jpeg`,
        creator_username: account.username,
        creator_nickname: account.name,
        privacy_level_options: levelsOf(account),
        comment_disabled: account.commentsAreOff,
        duet_disabled: account.isPrivate,
        stitch_disabled: account.isPrivate,
        max_video_post_duration_sec: account.maxVideoSeconds,
      });
    }),

    route("initVideo", `POST ${api}/post/publish/video/init/`, (request) => {
      const account = logins.accountFor(request, "video.publish");
      const { post_info: info, source_info } = read(request, videoSchema);
      assertMayPost(account);
      assertInfo(account, info);
      return beginUpload({ account, isDraft: false, info }, "v_pub_file~v2-1", source_info);
    }),

    route("initInboxVideo", `POST ${api}/post/publish/inbox/video/init/`, (request) => {
      const account = logins.accountFor(request, "video.upload");
      const { source_info } = read(request, inboxSchema);
      assertMayPost(account);
      assertDrafts(account);
      return beginUpload({ account, isDraft: true, info: {} }, "v_inbox_file~v2", source_info);
    }),

    route("initPhotos", `POST ${api}/post/publish/content/init/`, async (request) => {
      const given = read(request, photosSchema);
      const isDraft = given.post_mode === "MEDIA_UPLOAD";
      const account = logins.accountFor(request, isDraft ? "video.upload" : "video.publish");
      const { photo_images, photo_cover_index } = given.source_info;
      if (photo_cover_index >= photo_images.length) throw wrongParam("photo_cover_index is invalid.");
      assertMayPost(account);
      if (given.post_mode === "DIRECT_POST") assertInfo(account, given.post_info);
      else assertDrafts(account);
      const { verifiedHosts } = state.ways;
      if (verifiedHosts !== null && photo_images.some((address) => !verifiedHosts.includes(new URL(address).hostname)))
        throw refusal(403, "url_ownership_unverified", "Please verify the domain before pulling from it.");
      const id = `${isDraft ? "p_inbox_url~v2" : "p_pub_url~v2"}.${state.digits(19)}`;
      const files = photo_images.length;
      const publication = addPublication(state, { id, account, kind: "photo", isDraft, info: given.post_info, files });
      publication.job = state.jobs.start(await pullAll(photo_images));
      publication.whole_at = state.now();
      return success({ publish_id: publication.id });
    }),
  ];
}

/** https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11) */
function levelsOf({ isPrivate }: Account): PrivacyLevel[] {
  return [isPrivate ? "FOLLOWER_OF_CREATOR" : "PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"];
}
