import { z } from "zod";
import type { PublishedPart } from "../contract/plan.ts";
import { type Publisher, readBackRules } from "../contract/publish.ts";

const postSchema = z.object({ id: z.string(), url: z.string() });

export const publisher = {
  rules: () => readBackRules,
  key: ({ subjectId, part, bodyHash }) => `${subjectId}-${part}-${bodyHash}`,

  commit({ part, key }) {
    const [picture] = part.media;
    return {
      method: "POST",
      url: "https://api.toy.example/posts",
      body: {
        json: { text: part.text, key, ...(picture === undefined ? {} : { picture: picture.url, alt: picture.alt }) },
      },
    };
  },

  accepted({ body }) {
    const live = publishedIn(body);
    return live && { live };
  },

  async lookFor(context, { key }) {
    const url = `https://api.toy.example/posts/${encodeURIComponent(key)}`;
    const response = await context.request({ method: "GET", url, accept: [404] });
    if (response.status === 404) return { absent: true };
    const live = publishedIn(response.body);
    return live === null ? { pending: "The post could not be read." } : { live };
  },

  textForms: ({ text }) => [text],
} satisfies Publisher;

function publishedIn(body: unknown): PublishedPart | null {
  const parsed = postSchema.safeParse(body);
  return parsed.success ? { ...parsed.data, ref: null } : null;
}
