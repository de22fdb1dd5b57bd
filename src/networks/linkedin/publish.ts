import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { Part, PlanInput, PublishedPart } from "../contract/plan.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkResponse } from "../contract/request.ts";
import { defined } from "../shared/defined.ts";
import { stagedText } from "../shared/staged-text.ts";
import { type Api, permalink, postUrn } from "./api.ts";
import { acceptedComment, commentRequest, commentWith } from "./comments.ts";
import { contentOf } from "./content.ts";
import { duplicateIn } from "./errors.ts";
import { showsItsPosts } from "./known.ts";
import { lists, lookFor } from "./look-for.ts";
import { type LinkedinOptions, reshareOf } from "./options.ts";
import { stage } from "./stage.ts";
import { names } from "./staged.ts";
import { textForms, toLittleText } from "./text.ts";

/** Rules for posts that cannot be read back: no wait, because the one look is inconclusive anyway. */
const unreadRules: CommitRules = {
  ...readBackRules,
  settleSeconds: { text: 0, image: 0, video: 0 },
  emptyReads: 1,
};

export function createPublisher(api: Api) {
  return {
    prepare,
    rules: (profile) => (showsItsPosts(profile) ? readBackRules : unreadRules),
    stage: (context, part) => stage(context, part, api),
    commit: (input) => (input.part.role === "comment" ? commentRequest(input, api) : postRequest(input, api)),

    /**
     * The response has no body, so the id is in a header.
     * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08)
     */
    accepted(response, input) {
      if (input.part.role === "comment") return acceptedComment(response);
      const id = idIn(response);
      return id === null ? null : { live: { id, url: permalink(id), ref: null, ...warningsOf(input) } };
    },

    /**
     * If the account's posts can be listed, the list decides: LinkedIn may name a post that no user can see.
     * https://github.com/ComposioHQ/composio/issues/2710 (2026-08)
     */
    duplicateOf(answer, { profile, part }) {
      const parsed = postUrn.safeParse(duplicateIn(answer));
      if (showsItsPosts(profile) || part.role === "comment" || !parsed.success) return null;
      return { id: parsed.data, url: permalink(parsed.data), ref: null };
    },

    lookFor: (context, input) => lookFor(context, input, api),
    textForms,
    lists: lists(api),
  } satisfies Publisher<LinkedinOptions>;
}

/** Warnings about what is missing from the post. */
function warningsOf({ part, staged }: CommitInput<LinkedinOptions>): Pick<PublishedPart, "warnings"> {
  if (part.link?.image_url == null || stagedText(staged, names.thumb) !== null) return {};
  return { warnings: ["The link card has no image: link.image_url is missing, too large or not an image."] };
}

/** LinkedIn supports no idempotency key. */
function postRequest(input: CommitInput<LinkedinOptions>, api: Api): CommitRequest {
  return { method: "POST", ...api.rest(["posts"]), body: { json: postBody(input) } };
}

function postBody(input: CommitInput<LinkedinOptions>): JsonObject {
  const { part, profile } = input;
  const { visibility = "PUBLIC", feed_distribution = "MAIN_FEED", disable_reshares = false } = part.options;
  const content = contentOf(input);
  const parent = reshareOf(part.options);
  return {
    author: profile.external_id,
    commentary: toLittleText(part.text),
    visibility,
    distribution: {
      feedDistribution: feed_distribution,
      targetEntities: audienceOf(part.options),
      thirdPartyDistributionChannels: [],
    },
    lifecycleState: "PUBLISHED",
    isReshareDisabledByAuthor: disable_reshares,
    ...(content === null ? {} : { content }),
    ...(parent === null ? {} : { reshareContext: { parent } }),
  };
}

/** One entry, whose given fields must all match. */
function audienceOf({ audience }: LinkedinOptions): JsonObject[] {
  if (audience === undefined) return [];
  const { geo_locations, industries, seniorities, job_functions, staff_count_ranges } = audience;
  return [
    defined({
      geoLocations: geo_locations,
      industries,
      seniorities,
      jobFunctions: job_functions,
      staffCountRanges: staff_count_ranges,
    }),
  ];
}

/** Splits off the first comment as a part. */
function prepare(_input: PlanInput<LinkedinOptions>, parts: readonly Part<LinkedinOptions>[]): Part<LinkedinOptions>[] {
  return parts.flatMap((part) => {
    const { first_comment, ...options } = part.options;
    return first_comment === undefined ? [part] : [{ ...part, options }, commentWith(first_comment)];
  });
}

/** Responses of older versions have the second header (unconfirmed). */
const idHeaders = ["x-restli-id", "x-linkedin-id"];

function idIn({ headers }: NetworkResponse): string | null {
  const named = idHeaders.map((name) => headers.get(name)).find((value) => value !== null);
  return postUrn.safeParse(named).data ?? null;
}
