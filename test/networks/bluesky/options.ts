import { captionsOn, type OptionExamples, withPhoto, withVideo } from "../option-examples.ts";

export const options: OptionExamples = {
  langs: { value: ["en", "de-CH"] },
  labels: { value: ["nudity"], post: withPhoto },
  tags: { value: ["bread"] },
  quote: { value: ({ earlier }) => earlier.url },
  reply_to: { value: ({ earlier }) => earlier.url },
  replies: { value: ["followers"] },
  disable_quotes: { value: true },
  presentation: { value: "gif", post: withVideo },
  captions: { value: ({ sandbox }) => [{ lang: "en", url: captionsOn(sandbox) }], post: withVideo },
};
