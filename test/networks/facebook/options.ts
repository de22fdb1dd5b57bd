import { asReel, type OptionExamples, withVideo } from "../option-examples.ts";

export const options: OptionExamples = {
  first_comment: { value: "First" },
  targeting: { value: { geo_locations: { countries: ["DE"] } } },
  feed_targeting: { value: { geo_locations: { countries: ["DE"] } } },
  call_to_action: {
    value: { type: "LEARN_MORE", link: "https://example.com/bread" },
    post: () => ({ link: { url: "https://example.com/bread" } }),
  },
  content_category: { value: "BUSINESS", post: withVideo },
  place: { value: "123456", post: asReel },
  text_format_preset_id: { value: "123456" },
  thumbnail: { value: ({ photo }) => photo, post: withVideo },
};
