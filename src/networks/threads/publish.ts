import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { PublishedPart } from "../contract/plan.ts";
import { type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { endpoint, getAnswer } from "./api.ts";
import { readKnown } from "./known.ts";
import { lists, lookFor, textForms } from "./look-for.ts";
import type { ThreadsOptions } from "./options.ts";
import { mayLoseParent, stage } from "./stage.ts";

/** Whether it was shared to Instagram stands beside the id. https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03) */
const createdSchema = z.object({ id: graphId, crossreshare_to_ig_status: z.string().nullish() });
const mediaSchema = z.object({
  permalink: z.string().nullish(),
  replied_to: z.object({ id: graphId }).nullish(),
});

export const publisher = {
  /** Threads knows no key. */
  rules: () => readBackRules,
  stage,

  /** Nothing is public before it. https://github.com/fbsamples/threads_api (2025-12) */
  commit: publishRequest,

  /** The id of what is public; the container has another one. */
  accepted({ body }) {
    const parsed = createdSchema.safeParse(body);
    if (!parsed.success) return null;
    const warnings =
      parsed.data.crossreshare_to_ig_status === "FAILED" ? ["Threads could not share the post on Instagram."] : [];
    return { live: { id: parsed.data.id, url: null, ref: null, ...(warnings.length === 0 ? {} : { warnings }) } };
  },

  confirm,
  lookFor,
  textForms,
  lists,

  quota(profile) {
    const { quota } = readKnown(profile);
    return quota === null ? null : { posts: quota.posts.total, used: quota.posts.used, as_of: quota.read_at };
  },
} satisfies Publisher<ThreadsOptions>;

function publishRequest({ profile, staged }: CommitInput<ThreadsOptions>): CommitRequest {
  const { container } = staged;
  if (typeof container !== "string") throw new PublishingError("internal_error", "The container was not staged.");
  const url = endpoint([profile.external_id, "threads_publish"]);
  return { method: "POST", url, body: { form: { creation_id: container } } };
}

/** Completes the permalink, and looks whether the part stands where it was to. */
async function confirm(
  context: NetworkContext,
  published: PublishedPart,
  { part, previous, index }: Pick<CommitInput<ThreadsOptions>, "part" | "previous" | "index">,
): Promise<PublishedPart> {
  if (published.id === null) return published;
  const isReply = mayLoseParent(part, previous);
  const read = endpoint([published.id], { fields: `id,permalink,timestamp${isReply ? ",replied_to" : ""}` });
  const { permalink, replied_to } = await getAnswer(mediaSchema, context, read);
  const complete = { ...published, url: permalink ?? published.url };
  if (!isReply || replied_to?.id === previous.id) return complete;
  return { ...complete, warnings: [...(published.warnings ?? []), standsAlone(index)] };
}

/** It is live and stays so: a second one would be there twice. */
function standsAlone(index: number): string {
  return `Part ${index + 1} is live, but Threads shows it as a separate post, not in the thread; the later parts reply to it. To repair the thread, delete this part and its replies on Threads, and publish those parts again.`;
}
