import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { PublishedPart } from "../contract/plan.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import type { VideoUpload } from "../shared/meta/video-upload.ts";
import { type Api, getAnswer } from "./api.ts";
import { readKnown } from "./known.ts";
import { lists, lookFor, textForms } from "./look-for.ts";
import type { InstagramOptions } from "./options.ts";
import { prepare } from "./prepare.ts";
import { stage } from "./stage.ts";

const rules: CommitRules = { ...readBackRules, hardEndSeconds: 60 };

const createdSchema = z.object({ id: graphId });
const mediaSchema = z.object({ permalink: z.string().nullish() });

/** @param api the Graph API in the chosen version */
export function createPublisher(api: Api, { videoUpload }: { videoUpload: VideoUpload }) {
  return {
    prepare,
    rules: () => rules,
    stage: (context, part) => stage(context, part, { api, videoUpload }),

    /**
     * The only request that makes a post public.
     * https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user/media_publish
     * (2026-09)
     */
    commit: (input) => (input.part.role === "comment" ? commentRequest(input, api) : publishRequest(input, api)),

    /** The id of the public post; its container has another one. */
    accepted({ body }) {
      const parsed = createdSchema.safeParse(body);
      return parsed.success ? { live: { id: parsed.data.id, url: null, ref: null } } : null;
    },

    confirm: (context, published, input) => confirm(context, published, input, api),
    lookFor: (context, input) => lookFor(context, input, api),
    textForms,
    lists: lists(api),
  } satisfies Publisher<InstagramOptions>;
}

function publishRequest({ profile, staged }: CommitInput<InstagramOptions>, api: Api): CommitRequest {
  const { container } = staged;
  if (typeof container !== "string") throw new PublishingError("internal_error", "The container was not staged.");
  const url = api.endpoint(readKnown(profile).flavour, [profile.external_id, "media_publish"]);
  return { method: "POST", url, body: { form: { creation_id: container } } };
}

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments (2026-09) */
function commentRequest({ profile, part, first }: CommitInput<InstagramOptions>, api: Api): CommitRequest {
  if (first === null) throw new PublishingError("internal_error", "There is no post to comment on.");
  const url = api.endpoint(readKnown(profile).flavour, [first.id, "comments"]);
  return { method: "POST", url, body: { form: { message: part.text } } };
}

/** Reads the permalink, and disables comments if requested. */
async function confirm(
  context: NetworkContext,
  published: PublishedPart,
  { part }: CommitInput<InstagramOptions>,
  api: Api,
): Promise<PublishedPart> {
  if (published.id === null || part.role === "comment") return published;
  const { flavour } = readKnown(context.profile);
  const read = api.endpoint(flavour, [published.id], { fields: "id,permalink,timestamp" });
  const { permalink } = await getAnswer(mediaSchema, context, read);
  if (part.options.comment_enabled === false)
    await context.request({
      method: "POST",
      url: api.endpoint(flavour, [published.id]),
      body: { form: { comment_enabled: "false" } },
    });
  return { ...published, url: permalink ?? published.url };
}
