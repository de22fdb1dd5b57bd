const profileId = "prof_01kakdx7e8x1p5v4k9q2m3n6r7";

const pictureTypes = [
  { type: "image", mime: "image/jpeg", max_bytes: 2000000 },
  { type: "image", mime: "image/png", max_bytes: 2000000 },
  { type: "image", mime: "image/webp", max_bytes: 2000000 },
  {
    type: "gif",
    mime: "image/gif",
    max_bytes: 2000000,
    action: "shown as a still picture; upload an mp4 with presentation: gif to animate it",
  },
];

/** How JSON Schema tells an address on the web. */
const webAddress = { type: "string", pattern: "^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^/?#\\\\]", format: "uri" };

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
      post_ids: ["at://did:plc:uaaip67xi6olq3p6or6sgzz7/app.bsky.feed.post/3n2t2gu4wbusa"],
      attempts: 1,
      url: "https://bsky.app/profile/did:plc:uaaip67xi6olq3p6or6sgzz7/post/3n2t2gu4wbusa",
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
    limits: {
      media: {
        types: [...pictureTypes, { type: "video", mime: "video/mp4", max_bytes: 52428800, max_seconds: 600 }],
      },
    },
    inbox: { dm: "none", comment: "none", mention: "none" },
    created_at: "2026-11-21T12:00:00.000Z",
    updated_at: "2026-11-21T12:00:00.000Z",
    last_checked_at: "2026-11-21T12:00:00.000Z",
  },
  network: {
    network: "bluesky",
    name: "Bluesky",
    publish: true,
    text: { max: 300, unit: "graphemes", max_bytes: 3000, url_length: null, bare_mentions: false },
    threads: true,
    media: {
      max_items: 10,
      max_of_type: { video: 1 },
      mixing: "one_type",
      types: [...pictureTypes, { type: "video", mime: "video/mp4", max_bytes: 300000000, max_seconds: 600 }],
      max_alt: 2000,
    },
    post_types: ["post"],
    title: null,
    link_card: "field",
    comment: null,
    variants: [],
    option_files: {},
    options: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        langs: {
          description: "Languages of the text, at most 3: `en`, `pt-BR`.",
          minItems: 1,
          maxItems: 3,
          type: "array",
          items: { type: "string", pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$" },
        },
        labels: {
          description: "Content warnings that the author puts on the post.",
          minItems: 1,
          maxItems: 5,
          type: "array",
          items: { type: "string", enum: ["!no-unauthenticated", "porn", "sexual", "nudity", "graphic-media"] },
        },
        tags: {
          description: "Hashtags besides those in the text, without #, at most 8.",
          minItems: 1,
          maxItems: 8,
          type: "array",
          items: { type: "string", minLength: 1, pattern: "^[^#\\s]" },
        },
        quote: {
          description:
            "What to show below the text: a post, list, feed or starter pack, by its at:// address or its address on bsky.app.",
          type: "string",
          maxLength: 2000,
          pattern: "^(at:\\/\\/|https:\\/\\/bsky\\.app\\/)",
        },
        reply_to: {
          description:
            "The post to reply to: its at:// address or its address on bsky.app. A thread goes on from there.",
          type: "string",
          maxLength: 2000,
          pattern: "^(at:\\/\\/|https:\\/\\/bsky\\.app\\/)",
        },
        replies: {
          description:
            "Who may reply: `everyone` (default), `nobody`, or a list of `mentioned`, `followers`, `following` and at:// addresses of lists.",
          anyOf: [
            { type: "string", enum: ["everyone", "nobody"] },
            {
              minItems: 1,
              maxItems: 5,
              type: "array",
              items: {
                anyOf: [
                  { type: "string", enum: ["mentioned", "followers", "following"] },
                  {
                    type: "string",
                    pattern:
                      "^at:\\/\\/did:[a-z]+:[A-Za-z0-9._:%-]{1,256}\\/app\\.bsky\\.graph\\.list\\/[A-Za-z0-9._:~-]{1,512}$",
                  },
                ],
              },
            },
          ],
        },
        disable_quotes: { description: "Nobody may quote the post. Default false.", type: "boolean" },
        presentation: {
          description: "How a video is shown: `gif` plays by itself, in a loop and without sound.",
          type: "string",
          enum: ["default", "gif"],
        },
        captions: {
          description: "Subtitles of the video.",
          minItems: 1,
          maxItems: 20,
          type: "array",
          items: {
            type: "object",
            properties: {
              lang: {
                type: "string",
                pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
                description: "The language of the subtitles.",
              },
              url: { ...webAddress, description: "Address of a WebVTT file of at most 20,000 bytes." },
            },
            required: ["lang", "url"],
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
    credentials: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      anyOf: [
        {
          type: "object",
          properties: {
            identifier: {
              type: "string",
              minLength: 1,
              maxLength: 2048,
              description: "The handle (alice.bsky.social), the DID, or the e-mail address of the account.",
            },
            app_password: {
              type: "string",
              minLength: 1,
              maxLength: 256,
              description:
                "An app password, made in Settings → Privacy and security → App passwords; not the account's own.",
            },
            service: {
              default: null,
              description:
                "Address of the account's own server, only where it cannot be found by the handle: https://pds.example.com.",
              anyOf: [webAddress, { type: "null" }],
            },
          },
          required: ["identifier", "app_password"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: {
            identifier: { type: "string", maxLength: 2048, description: "The account's DID." },
            login_secrets: {
              type: "object",
              propertyNames: { type: "string" },
              additionalProperties: {
                anyOf: [
                  { type: "string" },
                  { type: "number" },
                  { type: "null" },
                  { type: "array", items: { type: "string" } },
                  { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "string" } },
                ],
              },
              description: "What a login in the browser has brought, as it came.",
            },
          },
          required: ["identifier", "login_secrets"],
          additionalProperties: false,
        },
      ],
    },
    login: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        handle: {
          type: "string",
          minLength: 1,
          maxLength: 2048,
          description:
            "The account's handle (alice.bsky.social) or DID; or a server, which asks who logs in: https://bsky.social.",
        },
      },
      required: ["handle"],
      additionalProperties: false,
    },
    choices: [],
    inbox: { dm: "none", comment: "none", mention: "none" },
    duplicates: ["keyed"],
    api_version: "atproto lexicons of 2026-08",
    sunset_at: null,
    versions: { "atproto lexicons of 2026-08": null },
    cost: [],
    app_quota: null,
  },
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
  pagination: { limit: 20, offset: 0, total: 1, has_more: false },
};
