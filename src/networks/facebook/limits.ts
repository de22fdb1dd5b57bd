import { type FileRule, type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { videoRules } from "../shared/meta/video-rules.ts";
import { playable } from "../shared/playable.ts";
import type { FacebookOptions } from "./options.ts";
import { rules } from "./rules.ts";

const reelsGuide = "https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09)";
const storiesGuide = "https://developers.facebook.com/docs/page-stories-api (2026-09)";
const videosReference = "https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09)";
const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const tools = "https://docs.getlate.dev/resources/media-guidelines/facebook (2026-09)";

const photoMimes = ["image/jpeg", "image/png"];
/** The documentation says 10 MB, but error 1366046 says 4 MB. */
const maxPhotoBytes = 4_000_000;
const maxStoryPhotoBytes = 10_000_000;
const maxVideoBytes = 4_000_000_000;

const photos = photoMimes.map(
  (mime): MediaRule => ({
    type: "image",
    mime,
    max_bytes: maxPhotoBytes,
    ...(mime === "image/png" && { moving: shownStill }),
    pulled: true,
  }),
);
const storyPhotos = photoMimes.map(
  (mime): MediaRule => ({
    type: "image",
    mime,
    max_bytes: maxStoryPhotoBytes,
    ...(mime === "image/png" && { moving: shownStill }),
    pulled: true,
  }),
);
const videos = ["video/mp4", "video/quicktime"].map(
  (mime): MediaRule => ({ type: "video", mime, max_bytes: maxVideoBytes, max_seconds: 14_400, ...playable }),
);

const reel: MediaRule = {
  type: "video",
  mime: "video/mp4",
  max_bytes: maxVideoBytes,
  min_width: 540,
  min_height: 960,
  // 9:16, with a tolerance for rounding to whole pixels.
  min_aspect: 0.56,
  max_aspect: 0.565,
  min_seconds: 3,
  max_seconds: 90,
  codecs: ["h264", "hevc", "vp9", "av1"],
  ...videoRules,
  audio_codecs: ["aac"],
  min_fps: 24,
  max_fps: 60,
  pulled: true,
};

/** The maximum size is not documented; this is that of story photos. */
export const cover: FileRule = { mimes: photoMimes, max_bytes: 10_000_000 };

/** The maximum length is not documented; this is the service's own limit. */
const title = { max: 300, required: false };

const apiVersion = "v26.0";

export const limits = {
  network: "facebook",
  name: "Facebook",
  text: { max: 63_206, unit: "utf16" },
  threads: false,
  media: { max_items: 10, max_of_type: { video: 1 }, mixing: "one_type", types: [...photos, ...videos] },
  option_files: { thumbnail: cover },
  post_types: ["post", "reel", "story"],
  title: null,
  link_card: "field",
  comment: { text: { max: 8_000, unit: "utf16" } },
  variants: [
    {
      when: { post_type: "story" },
      text: { max: 0 },
      // Each file becomes its own story.
      media: {
        min_items: 1,
        max_of_type: {},
        mixing: "any",
        types: [...storyPhotos, { ...reel, max_seconds: 60 }],
      },
    },
    { when: { post_type: "reel" }, media: { min_items: 1, max_items: 1, types: [reel], cover }, title },
    { when: { media: "video" }, media: { cover }, title },
  ],
  inbox: {
    dm: "reply",
    comment: "reply",
    mention: { may: "read", why: "Facebook's API has no replies to posts of others." },
  },
  duplicates: ["located", "may_be_live"],
  api_version: apiVersion,
  versions: { [apiVersion]: null, "v25.0": "2028-07-29" },
  hosts: ["graph.facebook.com", "rupload.facebook.com"],
  rules,
  sources: {
    "text.max": `${postiz}; no page of Meta's states a limit (unconfirmed)`,
    "media.max_items": `${postiz} (unconfirmed)`,
    "media.max_of_type": videosReference,
    "media.types.0": `${postiz}, error 1366046; ${storiesGuide} says 10 MB`,
    "media.types.1": `${postiz}, error 1366046; ${storiesGuide} says 10 MB`,
    "media.types.2": `${tools} (unconfirmed)`,
    "media.types.3": `${tools} (unconfirmed)`,
    option_files: `${storiesGuide}, for photos; for covers it is not documented (unconfirmed)`,
    "comment.text.max":
      "https://developers.facebook.com/documentation/pages-api/comments-mentions (2026-04) states no limit (unconfirmed)",
    "variants.0": `${storiesGuide}; the size limit of a video is from ${tools} (unconfirmed)`,
    "variants.1": `${reelsGuide}; the size limit is from ${tools} (unconfirmed); it documents a title, but no limit for its length (unconfirmed)`,
    "variants.2": `${videosReference}; how long a title may be is not documented (unconfirmed)`,
    versions: "https://developers.facebook.com/docs/graph-api/changelog (2026-09)",
  },
} satisfies NetworkSpec<FacebookOptions>;
