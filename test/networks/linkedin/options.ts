import { captionsOn, documentOn, type OptionExamples, withVideo } from "../option-examples.ts";

export const options: OptionExamples = {
  visibility: { value: "LOGGED_IN" },
  feed_distribution: { value: "NONE" },
  audience: { value: { industries: ["urn:li:industry:1"] } },
  disable_reshares: { value: true },
  poll: { value: { question: "Which?", options: ["Rye", "Wheat"], duration: "ONE_DAY" } },
  document: { value: ({ sandbox }) => ({ url: documentOn(sandbox), title: "Slides" }) },
  reshare_of: { value: ({ earlier }) => earlier.id },
  captions_url: { value: ({ sandbox }) => captionsOn(sandbox), post: withVideo },
  first_comment: { value: "First" },
};
