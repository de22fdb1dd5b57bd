import type { MediaRule } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { googleLoginHost } from "../shared/google/login.ts";
import { apiHosts, apiVersion } from "./api.ts";
import type { GoogleBusinessOptions } from "./options.ts";
import { rules } from "./rules.ts";

const reference = "https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09)";
const photosGuide = "https://developers.google.com/my-business/content/upload-photos (2026-09)";

const photos = ["image/jpeg", "image/png"].map(
  (mime): MediaRule => ({
    type: "image",
    mime,
    min_bytes: 10_240,
    max_bytes: 5_000_000,
    min_width: 250,
    min_height: 250,
    max_frames: 1,
    pulled: true,
  }),
);

export const limits: NetworkSpec<GoogleBusinessOptions> & { network: "google_business" } = {
  network: "google_business",
  name: "Google Business Profile",
  text: { max: 1_500, unit: "utf16" },
  threads: false,
  // Google rejects videos in posts.
  media: { max_items: 1, mixing: "one_type", types: photos },
  post_types: ["post"],
  // Only events have a title.
  title: null,
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located", "may_be_live"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  hosts: [...Object.values(apiHosts), googleLoginHost],
  rules,
  sources: {
    "text.max": "https://github.com/gitroomhq/postiz-app (2026-08); Google's pages state no limit (unconfirmed)",
    "media.max_items": `${reference}; https://github.com/PipedreamHQ/pipedream/issues/7784`,
    "media.types": `${photosGuide}; that an animation is rejected: https://github.com/trypostit/trypost/pull/318`,
  },
};
