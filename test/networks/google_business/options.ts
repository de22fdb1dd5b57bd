import type { OptionExamples } from "../option-examples.ts";

export const options: OptionExamples = {
  topic_type: { value: "STANDARD" },
  event: {
    value: { title: "Sale", starts: "2026-12-01T09:00", ends: "2026-12-02T18:00" },
    besides: { topic_type: "EVENT" },
  },
  offer: {
    value: { coupon_code: "BREAD" },
    besides: { topic_type: "OFFER", event: { title: "Sale", starts: "2026-12-01T09:00", ends: "2026-12-02T18:00" } },
  },
  call_to_action: { value: { action_type: "LEARN_MORE", url: "https://example.com/bread" } },
  language_code: { value: "de" },
};
