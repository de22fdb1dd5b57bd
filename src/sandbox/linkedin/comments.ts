import * as z from "zod";
import { route } from "../parts/routes.ts";
import type { Caller, Logins } from "./logins.ts";
import { forbidden, refusal } from "./refusal.ts";
import { bodyOf, listed, mayPostFor, postOf, type State, type StoredPost } from "./state.ts";

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api (2026-08) */
const newComment = z.strictObject({
  actor: z.string(),
  object: z.string().optional(),
  message: z.strictObject({ text: z.string().min(1).max(1_250) }),
});

export function createComments(state: State, logins: Logins) {
  let knownAfterMs = 0;
  // A comment belongs to the post's activity, which has a different number.
  const activityOf = (post: string): string => `urn:li:activity:${BigInt(post.slice(post.lastIndexOf(":") + 1)) + 1n}`;

  /** Other apps are rejected, whatever scopes they have. Same source. */
  function assertApproved({ product, scopes, version }: Caller, scope: string, verb: string): void {
    if (product === "community_management" && scopes.includes(scope)) return;
    throw forbidden(`partnerApiSocialActions.${verb}`, version);
  }

  return {
    routes: [
      route("createComment", "POST /rest/socialActions/:post/comments", (request, urn) => {
        const caller = logins.callerOf(request, "socialActions.CREATE");
        const { actor, message } = bodyOf(newComment, request);
        const isOrganization = actor.startsWith("urn:li:organization:");
        assertApproved(caller, isOrganization ? "w_organization_social_feed" : "w_member_social_feed", "CREATE");
        if (!mayPostFor(state, caller.member, actor)) throw forbidden("socialActions.CREATE", caller.version);
        const post = postOf(state, urn);
        if (state.now() < post.created_at + knownAfterMs)
          throw refusal(404, null, `Unable to obtain activity for urn ${urn}`);
        const id = state.newId();
        const object = activityOf(urn);
        const comment: StoredPost = {
          urn: `urn:li:comment:(${object},${id})`,
          author: actor,
          commentary: message.text,
          shown: message.text,
          given: {},
          files: [],
          under: urn,
          created_at: state.now(),
          isDeleted: false,
        };
        state.posts.push(comment);
        return { status: 201, headers: { "x-restli-id": id }, json: { ...commentJson(comment), object } };
      }),

      route("findComments", "GET /rest/socialActions/:post/comments", (request, urn) => {
        assertApproved(logins.callerOf(request, "socialActions.GET_ALL"), "r_organization_social", "GET_ALL");
        const all = state.posts.filter(
          ({ under, isDeleted, created_at }) => under === urn && !isDeleted && state.lag.shows(created_at),
        );
        return listed(request.url, all, commentJson);
      }),
    ],

    switches: {
      knowPostsAfter(seconds: number): void {
        knownAfterMs = seconds * 1000;
      },
    },
  };
}

function commentJson({ urn, author, commentary, created_at }: StoredPost): object {
  const [, object = "", id = ""] = /^urn:li:comment:\((.+),(\d+)\)$/.exec(urn) ?? [];
  const created = { actor: author, time: created_at };
  return { id, $URN: urn, commentUrn: urn, actor: author, object, message: { text: commentary }, created };
}
