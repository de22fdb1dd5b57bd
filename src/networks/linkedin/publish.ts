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

/** What cannot be read back is not waited for: the one look says so. */
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

    /** The body is empty. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
    accepted(response, input) {
      if (input.part.role === "comment") return acceptedComment(response);
      const id = idIn(response);
      return id === null ? null : { live: { id, url: permalink(id), ref: null, ...warningsOf(input) } };
    },

    /** Where posts are shown, the list decides: a name may be that of a post that nobody can see. https://github.com/ComposioHQ/composio/issues/2710 (2026-08) */
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

/** What the post went out without. */
function warningsOf({ part, staged }: CommitInput<LinkedinOptions>): Pick<PublishedPart, "warnings"> {
  if (part.link?.image_url == null || stagedText(staged, names.thumb) !== null) return {};
  return { warnings: ["The link card has no image: link.image_url is missing, too large or not an image."] };
}

/** LinkedIn knows no key. */
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

/** One entry, of which each that is given must fit. */
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

/** The first comment stands under the post. */
function prepare(_input: PlanInput<LinkedinOptions>, parts: readonly Part<LinkedinOptions>[]): Part<LinkedinOptions>[] {
  return parts.flatMap((part) => {
    const { first_comment, ...options } = part.options;
    return first_comment === undefined ? [part] : [{ ...part, options }, commentWith(first_comment)];
  });
}

/** The second name stands in answers of older versions (unconfirmed). */
const idHeaders = ["x-restli-id", "x-linkedin-id"];

function idIn({ headers }: NetworkResponse): string | null {
  const named = idHeaders.map((name) => headers.get(name)).find((value) => value !== null);
  return postUrn.safeParse(named).data ?? null;
}
