const moving = { action: "shown as a still picture; upload an mp4 with presentation: gif to animate it" };

/** The pictures that it takes. */
export const pictureTypes = [
  { type: "image", mime: "image/jpeg", max_bytes: 2000000 },
  { type: "image", mime: "image/png", max_bytes: 2000000, moving },
  { type: "image", mime: "image/webp", max_bytes: 2000000, moving },
  { type: "gif", mime: "image/gif", max_bytes: 2000000, moving },
];

/** The rule for videos, without its `max_bytes`. */
export const filmType = {
  type: "video",
  mime: "video/mp4",
  max_seconds: 600,
  profiles: { h264: ["baseline", "main", "high"], hevc: ["main", "main-10"], vp9: ["0"], av1: ["main"] },
  chromas: ["4:2:0"],
};

/** How JSON Schema tells an address on the web. */
const webAddress = { type: "string", pattern: "^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^/?#\\\\]", format: "uri" };

/** One network, as `GET /v1/networks` shows it. */
export const network = {
  network: "bluesky",
  name: "Bluesky",
  publish: true,
  text: { max: 300, unit: "graphemes", max_bytes: 3000, url_length: null, bare_mentions: false },
  threads: true,
  media: {
    max_items: 10,
    max_of_type: { video: 1 },
    mixing: "one_type",
    types: [...pictureTypes, { ...filmType, max_bytes: 300000000 }],
    max_alt: 2000,
  },
  post_types: ["post"],
  title: null,
  link_card: "field",
  comment: null,
  variants: [],
  option_files: {},
  link_picture: [
    { type: "image", mime: "image/jpeg", max_bytes: 1_000_000 },
    { type: "image", mime: "image/png", max_bytes: 1_000_000 },
    { type: "image", mime: "image/webp", max_bytes: 1_000_000 },
    { type: "image", mime: "image/gif", max_bytes: 1_000_000 },
  ],
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
        description: "The post to reply to: its at:// address or its address on bsky.app. A thread goes on from there.",
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
};
