import type { NetworkSpec } from "../contract/spec.ts";

const posts = "https://toy.example/docs/posts (2026-11)";

export const limits = {
  network: "toy",
  name: "Toy",
  text: { max: 500, unit: "graphemes" },
  threads: false,
  media: {
    max_items: 1,
    mixing: "any",
    types: [{ type: "image", mime: "image/png", max_bytes: 1_000_000 }],
  },
  post_types: ["post"],
  title: null,
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["keyed", "located"],
  api_version: "2026-11",
  versions: { "2026-11": null, "2026-05": "2028-05-01" },
  hosts: ["api.toy.example"],
  rules: [],
  sources: { "text.max": posts, media: posts, versions: "https://toy.example/docs/versions (2026-11)" },
} satisfies NetworkSpec;
