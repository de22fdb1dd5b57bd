import { type OptionExamples, withPhoto } from "../option-examples.ts";

export const options: OptionExamples = {
  topic_tag: { value: "bread" },
  reply_control: { value: "accounts_you_follow" },
  enable_reply_approvals: { value: true },
  quote_post_id: { value: ({ earlier }) => earlier.id },
  is_spoiler_media: { value: true, post: withPhoto },
  text_entities: { value: [{ entity_type: "SPOILER", offset: 0, length: 2 }] },
  text_attachment: { value: { plaintext: "Long" } },
  poll_attachment: { value: { option_a: "Rye", option_b: "Wheat" } },
  gif_attachment: { value: { gif_id: "abc", provider: "GIPHY" } },
  is_ghost_post: { value: true },
  location_id: { value: "9007199254741301" },
  allowlisted_country_codes: {
    value: ["DE"],
    on({ threads }) {
      const { access_token } = threads.addAccount({ username: "alice", may_choose_countries: true });
      return { access_token };
    },
  },
  crossreshare_to_ig: { value: true },
  crossreshare_to_ig_dark_mode: { value: true },
};
