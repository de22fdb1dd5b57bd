import { filmType, network, pictureTypes } from "./network-example.ts";

const profileId = "prof_01kakdx7e8x1p5v4k9q2m3n6r7";

/** The answer to the request that the document shows for `createPost`. */
const post = {
  id: "post_01kakdx7e8x1p5v4k9q2m3n6r7",
  status: "published",
  text: "Three rows of blue hills.",
  media: [
    {
      url: "https://media.sandbox.example/hills.png",
      type: "image",
      mime_type: "image/png",
      size_bytes: 1010,
      alt: "Three rows of blue hills.",
      thumbnail_url: null,
    },
  ],
  link: null,
  post_type: "post",
  title: null,
  thread: null,
  auto_thread: false,
  networks: {},
  scheduled_at: null,
  published_at: "2026-11-21T12:00:00.000Z",
  source: "api",
  idempotency_key: "article-4711",
  created_at: "2026-11-21T12:00:00.000Z",
  updated_at: "2026-11-21T12:00:00.000Z",
  targets: [
    {
      id: "tgt_01kakdx7e8x1p5v4k9q2m3n6r7",
      profile_id: profileId,
      network: "bluesky",
      profile_name: "alice.sandbox.example",
      status: "published",
      post_ids: ["at://did:plc:uaaip67xi6olq3p6or6sgzz7/app.bsky.feed.post/3n2t2guqgsasa"],
      attempts: 1,
      url: "https://bsky.app/profile/did:plc:uaaip67xi6olq3p6or6sgzz7/post/3n2t2guqgsasa",
      published_at: "2026-11-21T12:00:00.000Z",
      error: null,
    },
  ],
};

const webhook = {
  id: "wh_01kakdx7e8x1p5v4k9q2m3n6r7",
  url: "https://receiver.sandbox.example/social",
  events: ["post.published", "post.failed"],
  status: "active",
  secret_last_four: "O1dw",
  consecutive_failures: 0,
  created_at: "2026-11-21T12:00:00.000Z",
  updated_at: "2026-11-21T12:00:00.000Z",
};

const conversation = {
  id: "cnv_01kakdx7e8x1p5v4k9q2m3n6r7",
  profile_id: profileId,
  network: "mastodon",
  kind: "mention",
  status: "open",
  unread_count: 1,
  last_message: { text: "@alice do you ship to Norway?", at: "2026-11-21T12:00:00.000Z" },
  profile_external_id: "mastodon.sandbox.example:115590000000000001",
  external_id: "115590000000000002",
  participant: { id: "115590000000000003", name: "Ann", handle: "ann", avatar_url: null },
  url: "https://mastodon.sandbox.example/@ann/115590000000000002",
  referral: null,
  reply_until: null,
  created_at: "2026-11-21T12:01:00.000Z",
};

const message = {
  id: "msg_01kakdx7e8x1p5v4k9q2m3n6r7",
  conversation_id: conversation.id,
  external_id: "115590000000000004",
  direction: "outbound",
  text: "We do: four days, no customs.",
  attachments: [],
  author: { id: "mastodon.sandbox.example:115590000000000001", name: "Alice" },
  sent_at: "2026-11-21T12:02:00.000Z",
  edited_at: null,
  deleted_at: null,
  reply_to: null,
  delivered_at: null,
  read_at: null,
  reactions: null,
  awaits_approval: false,
};

const picture = { mime_type: "image/png", width: 1200, height: 800, size_bytes: 1010 };

/**
 * The examples of the OpenAPI document, made by a run: `test/http/examples.test.ts`
 * makes it again and compares.
 */
export const examples = {
  post,
  postPlan: {
    valid: true,
    targets: [
      {
        profile_id: profileId,
        network: "bluesky",
        valid: true,
        parts: [{ text: "Three rows of blue hills.", length: 25, limit: 300, role: "post" }],
        media: [
          {
            url: "https://media.sandbox.example/hills.png",
            type: "image",
            action: "as_is",
            before: picture,
            after: picture,
            reasons: [],
          },
        ],
        cost_usd: null,
        quota: null,
        issues: [],
      },
    ],
  },
  profile: {
    id: profileId,
    name: "alice.sandbox.example",
    network: "bluesky",
    handle: "alice.sandbox.example",
    avatar_url: null,
    url: "https://bsky.app/profile/did:plc:uaaip67xi6olq3p6or6sgzz7",
    external_id: "did:plc:uaaip67xi6olq3p6or6sgzz7",
    status: "connected",
    status_reason: null,
    scopes: ["com.atproto.appPass"],
    token_expires_at: "2026-11-21T14:00:00.000Z",
    reconnect_by: null,
    limits: {
      media: {
        types: [...pictureTypes, { ...filmType, max_bytes: 52428800 }],
      },
    },
    inbox: { dm: "none", comment: "none", mention: "none" },
    created_at: "2026-11-21T12:00:00.000Z",
    updated_at: "2026-11-21T12:00:00.000Z",
    last_checked_at: "2026-11-21T12:00:00.000Z",
  },
  network,
  startedConnection: {
    connection_id: "conn_01kakdx7e8x1p5v4k9q2m3n6r7",
    authorization_url: "https://bsky.social/oauth/authorize?client_id=…&request_uri=…",
    expires_at: "2026-11-21T12:10:00.000Z",
  },
  connection: {
    id: "conn_01kakdx7e8x1p5v4k9q2m3n6r7",
    network: "bluesky",
    status: "authorized",
    error: null,
    options: [
      {
        id: "did:plc:uaaip67xi6olq3p6or6sgzz7",
        name: "alice.sandbox.example",
        handle: "alice.sandbox.example",
        avatar_url: null,
      },
    ],
    profile_ids: [],
    expires_at: "2026-11-21T12:10:00.000Z",
    created_at: "2026-11-21T12:00:00.000Z",
  },
  optionChoice: { value: "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", name: "Summer tour" },
  hostedMedia: {
    url: "https://app.example.com/social/media/37a8eec1ce19687d132fe29051dca629/0123456789abcdef0123456789abcdef",
    type: "image",
    content_type: "image/png",
    size_bytes: 69,
    status: "temporary",
    expires_at: "2026-11-22T12:00:00.000Z",
    created_at: "2026-11-21T12:00:00.000Z",
  },
  mediaUpload: {
    upload_url:
      "https://app-media.s3.example.com/37a8eec1ce19687d132fe29051dca629/0123456789abcdef0123456789abcdef?X-Amz-Signature=…",
    headers: { "content-type": "video/mp4" },
    url: "https://app.example.com/social/media/37a8eec1ce19687d132fe29051dca629/0123456789abcdef0123456789abcdef",
    expires_at: "2026-11-21T12:15:00.000Z",
  },
  createdWebhook: { ...webhook, secret: "whsec_AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw" },
  webhook: { ...webhook, last_succeeded_at: "2026-11-21T12:00:00.000Z" },
  webhookSecret: { secret: "whsec_ChEYHyYtNDtCSVBXXmVsc3qBiI-WnaSrsrnAx87V3OM" },
  webhookTest: {
    delivery_id: "dlv_01kakdx7e8x1p5v4k9q2m3n6r8",
    response_status: 200,
    response_body: "taken",
    duration_ms: 0,
  },
  delivery: {
    id: "dlv_01kakdx7e8x1p5v4k9q2m3n6r7",
    webhook_id: "wh_01kakdx7e8x1p5v4k9q2m3n6r7",
    event: "post.published",
    status: "delivered",
    attempts: 1,
    created_at: "2026-11-21T12:00:00.000Z",
    next_attempt_at: null,
    response_status: 200,
    response_body: "taken",
    delivered_at: "2026-11-21T12:00:00.000Z",
    data: { post },
  },
  conversation,
  message,
  inboxChanges: { conversations: [conversation], messages: [message], next: 3, has_more: false },
  inboxStatus: {
    profile_id: profileId,
    network: "mastodon",
    seq: 3,
    hooks: null,
    gaps: [{ from: "2026-11-20T09:00:00.000Z", until: "2026-11-20T12:30:00.000Z" }],
    sources: [
      {
        name: "notifications",
        read_at: "2026-11-21T12:01:00.000Z",
        next_at: "2026-11-21T12:02:00.000Z",
        failure: null,
      },
    ],
  },
  pagination: { limit: 20, offset: 0, total: 1, has_more: false },
};
