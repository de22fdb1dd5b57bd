import { type OptionExamples, withPhoto } from "../option-examples.ts";

export const options: OptionExamples = {
  visibility: { value: "unlisted" },
  thread_visibility: { value: "private", post: () => ({ thread: ["And more"] }) },
  spoiler_text: { value: "Bread" },
  sensitive: { value: true, post: withPhoto },
  language: { value: "de" },
  quoted_status_id: { value: ({ earlier }) => earlier.id },
  quote_approval_policy: { value: "nobody" },
  poll: { value: { options: ["Rye", "Wheat"], expires_in: 3_600 } },
  focus: { value: [{ x: 0.5, y: -0.5 }], post: withPhoto },
};
