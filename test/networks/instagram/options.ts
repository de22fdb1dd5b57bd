import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { asReel, type OptionExamples } from "../option-examples.ts";

function facebookLogin({ instagram }: Sandbox): JsonObject {
  const { access_token } = instagram.addAccount({ username: "alice", login: "facebook" });
  return { access_token, scopes: ["instagram_basic", "instagram_content_publish", "instagram_shopping_tag_products"] };
}

export const options: OptionExamples = {
  first_comment: { value: "First" },
  comment_enabled: { value: false },
  collaborators: { value: ["baker"] },
  user_tags: { value: [{ username: "baker", x: 0.5, y: 0.5 }] },
  product_tags: { value: [{ product_id: "9007199254741201", x: 0.5, y: 0.5 }], on: facebookLogin },
  location_id: { value: "123456" },
  share_to_feed: { value: false, post: asReel },
  cover_url: { value: ({ photo }) => photo, post: asReel },
  thumb_offset: { value: 1_000, post: asReel },
  audio_name: { value: "Song", post: asReel },
  trial_params: { value: { graduation_strategy: "MANUAL" }, post: asReel },
  audio_configuration: { value: { audio_id: "9007199254740993" }, post: asReel, on: facebookLogin },
  is_ai_generated: { value: true },
  is_paid_partnership: { value: true, on: facebookLogin },
  branded_content_sponsor_ids: { value: ["123"], besides: { is_paid_partnership: true }, on: facebookLogin },
};
