import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { captionsOn, type OptionExamples, withPhoto, withVideo } from "../option-examples.ts";

const community = "1234567890123456789";

function member({ x }: Sandbox): JsonObject {
  const { external_id: _, ...tokens } = x.addAccount({ username: "alice", communities: [community] });
  return { ...tokens };
}

export const options: OptionExamples = {
  reply_settings: { value: "following" },
  poll: { value: { options: ["Rye", "Wheat"], duration_minutes: 60 } },
  community_id: { value: community, on: member },
  share_with_followers: { value: true, besides: { community_id: community }, on: member },
  subscribers_only: { value: true },
  made_with_ai: { value: true },
  paid_partnership: { value: true },
  place_id: { value: "df51dec6f4ee2b2c" },
  sensitive: { value: ["other"], post: withPhoto },
  tagged_user_ids: { value: ["12"], post: withPhoto },
  subtitles: {
    value: ({ sandbox }) => [{ url: captionsOn(sandbox), language: "en", name: "English" }],
    post: withVideo,
  },
  reply_to: { value: ({ earlier }) => earlier.url },
};
