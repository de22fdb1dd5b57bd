import { PublishingError } from "../../wire/errors.ts";
import type { Acceptance } from "../contract/acceptance.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import { postsEndpoint } from "./api.ts";
import { locationName } from "./known.ts";
import { lookFor, rejected, textForms } from "./look-for.ts";
import type { GoogleBusinessOptions } from "./options.ts";
import { localPost } from "./post.ts";
import { postSchema, publishedPost, readPost } from "./posts.ts";

/** Google fetches the photo meanwhile, and may look at a post for a day. https://github.com/trypostit/trypost (2026-08) */
const rules: CommitRules = { ...readBackRules, hardEndSeconds: 60, pendingCapSeconds: 24 * 3_600 };

/** For how long Google can fetch the photo, seconds. */
const pullSeconds = 2 * 3_600;
const keepAddressSeconds = 3_600;

export const publisher: Publisher<GoogleBusinessOptions> = {
  rules: () => rules,

  /** Finds the address of the photo (`address`). */
  async stage(context, { media: [photo] }) {
    if (photo === undefined) return;
    const address = (): Promise<string> => context.signedUrl(photo.url, { seconds: pullSeconds });
    await context.once("address", address, { keepSeconds: keepAddressSeconds });
  },

  commit: postRequest,

  /** Its state decides, not its status. */
  accepted({ body }): Acceptance | null {
    const post = postSchema.safeParse(body).data;
    if (post === undefined) return null;
    if (post.state === "LIVE") return { live: publishedPost(post) };
    return post.state === "REJECTED" ? { refused: rejected } : { job: { name: post.name } };
  },

  async confirm(context, published) {
    if (published.url !== null || published.id === null) return published;
    const post = await readPost(context, published.id);
    return post === null ? published : { ...published, url: publishedPost(post).url };
  },

  lookFor,
  textForms,
};

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/create (2026-09) */
function postRequest({ profile, part, staged }: CommitInput<GoogleBusinessOptions>): CommitRequest {
  const { address = null } = staged;
  if (part.media.length > 0 && typeof address !== "string")
    throw new PublishingError("internal_error", "The photo's URL was not staged.");
  const json = localPost(part, typeof address === "string" ? address : null);
  return { method: "POST", url: postsEndpoint(`${locationName(profile)}/localPosts`), body: { json } };
}
