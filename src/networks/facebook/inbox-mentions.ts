import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type { InboxContext, MessageFact, Poll, Thread } from "../contract/inbox.ts";
import { cursorAfter, pagingSchema } from "../shared/meta/pages.ts";
import { walk } from "../shared/walk.ts";
import { type Api, getAnswer, wholeAddress } from "./api.ts";
import { storyAttachment, storyAttachmentSchema } from "./inbox-attachments.ts";
import { personOf } from "./inbox-comments.ts";
import { keyOf } from "./inbox-ids.ts";
import { opensBy } from "./inbox-window.ts";

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04), PagePost */
const postSchema = z.object({
  id: z.string(),
  message: z.string().nullish(),
  created_time: z.string(),
  from: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  permalink_url: z.string().nullish(),
  attachments: z
    .object({ data: z.array(storyAttachmentSchema) })
    .nullish()
    .catch(null),
});

type Post = z.infer<typeof postSchema>;

const listSchema = z.object({
  data: z.array(postSchema.nullable().catch(null)),
  paging: pagingSchema.nullish(),
});

const pageSize = 25;
const postFields = "id,message,created_time,from{id,name},permalink_url,attachments{type,title,description,url,media}";

/** `tagged`: posts of others that name the Page · `visitor_posts`: posts of others on the Page. */
export type MentionEdge = "tagged" | "visitor_posts";

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04), Page */
export async function pollMentions(
  context: InboxContext,
  api: Api,
  { edge, cursor, since }: { edge: MentionEdge; cursor: Json | null; since: number },
): Promise<Poll> {
  const step = await walk<Post>(cursor, since, {
    now: context.now(),
    connectedAt: context.connectedAt,
    timeOf: ({ created_time }) => Date.parse(created_time),
    async read(page) {
      const url = api.endpoint([context.profile.external_id, edge], {
        fields: postFields,
        limit: String(pageSize),
        ...(page === null ? {} : { after: page }),
      });
      const { data, paging } = await getAnswer(listSchema, context, url);
      const items = data.slice(0, pageSize).filter((each) => each !== null);
      return { items, next: cursorAfter(paging), isFull: data.length >= pageSize };
    },
  });
  const others = step.items.filter(({ from }) => from?.id !== context.profile.external_id);
  // The Page may message users who post on it, but not those who name it elsewhere.
  const openings = edge === "tagged" ? [] : others;
  return {
    ...step,
    facts: [
      ...others.map(mentionFact),
      ...openings.flatMap(({ from, created_time }) => opensBy(context, from?.id, Date.parse(created_time))),
    ],
  };
}

export function mentionFact({ id, message, created_time, from, permalink_url, attachments }: Post): MessageFact {
  const sent_at = Date.parse(created_time);
  const thread: Thread = {
    kind: "mention",
    key: keyOf(id),
    external_id: id,
    participant: personOf(from),
    url: wholeAddress(permalink_url ?? `/${id}`),
    referral: null,
  };
  return {
    fact: "message",
    at: sent_at,
    thread,
    message: {
      key: keyOf(id),
      external_id: id,
      own: false,
      text: message || null,
      attachments: (attachments?.data ?? []).map(storyAttachment),
      author: { id: from?.id ?? "", name: from?.name ?? null },
      sent_at,
      edited_at: null,
    },
  };
}

/** The attachments of a post whose webhook contains only the text. Undefined: the Page may not read it. */
export async function attachmentsOfPost(context: InboxContext, api: Api, id: string): Promise<Post["attachments"]> {
  const url = api.endpoint([id], { fields: postFields });
  const response = await context.request({ method: "GET", url, accept: [400, 403, 404] });
  return postSchema.safeParse(response.status === 200 ? response.body : null).data?.attachments;
}
