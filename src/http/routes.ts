import * as z from "zod";
import { networkSchema } from "../networks/runtime/schema.ts";
import { type CreatePostBody, createPostSchema, postPlanSchema } from "../planning/schema.ts";
import {
  isNow,
  type ListPosts,
  listPostsSchema,
  type RetryPost,
  retryPostSchema,
  type UpdatePostBody,
  updatePostSchema,
} from "../posts/schema.ts";
import {
  type ChoicesQuery,
  choicesQuerySchema,
  type ListProfiles,
  listProfilesSchema,
  optionChoiceSchema,
  profileSchema,
} from "../profiles/schema.ts";
import { postSchema } from "../publishing/schema.ts";
import {
  type CreateEndpoint,
  createdEndpointSchema,
  createEndpointSchema,
  deliverySchema,
  endpointSchema,
  type ListDeliveries,
  type ListEndpoints,
  listDeliveriesSchema,
  listEndpointsSchema,
  type RotateSecret,
  rotateSecretSchema,
  secretSchema,
  testResultSchema,
  type UpdateEndpoint,
  updateEndpointSchema,
} from "../webhooks/schema.ts";
import { connectRoutes } from "./connect-routes.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { inboxRoutes } from "./inbox-routes.ts";
import { mediaRoutes } from "./media-routes.ts";
import type { Call, Route } from "./route.ts";
import { changesProfiles, paged, publishes, reads, webhookRoute } from "./route-kinds.ts";

const postExample = {
  profile_ids: ["prof_01kakdx7e8x1p5v4k9q2m3n6r7"],
  text: "Three rows of blue hills.",
  media: [{ url: "https://media.sandbox.example/hills.png", alt: "Three rows of blue hills." }],
  idempotency_key: "article-4711",
};

/** Every route. */
export const routes: readonly Route[] = [
  {
    ...reads("/v1/posts", "listPosts", "List posts, newest first"),
    query: listPostsSchema,
    data: postSchema,
    isList: true,
    run: async ({ modules, query }: Call<ListPosts, never>) => paged(await modules.posts.list(query)),
  },
  {
    ...publishes("/v1/posts", "createPost", "Publish a post, or schedule it"),
    body: { schema: createPostSchema, isRequired: true, example: postExample },
    status: 201,
    data: postSchema,
    errors: ["payment_required", "conflict"],
    replay: "The key was used before: the existing post in its current state.",
    async run({ modules, body, headers }: Call<never, CreatePostBody>) {
      const keyed = { ...body, ...idempotencyKey(body, headers) };
      const { post, replayed } = await modules.posts.createOrReplay(keyed, { source: "api" });
      return replayed ? { data: post, status: 200, headers: { "Idempotent-Replay": "true" } } : { data: post };
    },
  },
  {
    ...reads("/v1/posts/validate", "validatePost", "Preview what would be published, and all issues"),
    method: "POST",
    body: { schema: createPostSchema, isRequired: true, example: postExample },
    data: postPlanSchema,
    run: async ({ modules, body }: Call<never, CreatePostBody>) => ({ data: await modules.posts.validate(body) }),
  },
  {
    ...reads("/v1/posts/{postId}", "getPost", "Retrieve a post"),
    data: postSchema,
    errors: ["not_found"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.posts.get(id) }),
  },
  {
    ...reads(
      "/v1/posts/{postId}",
      "updatePost",
      "Change an unpublished post or its time; of a partly published post, the overrides of networks that failed",
    ),
    method: "PATCH",
    scope: "publish",
    body: {
      schema: updatePostSchema,
      isRequired: true,
      example: { scheduled_at: "2027-01-01T09:00:00Z", draft: false },
    },
    data: postSchema,
    errors: ["payment_required", "not_found", "conflict"],
    publishes: isPublishingUpdate,
    run: async ({ modules, id, body }: Call<never, UpdatePostBody>) => ({ data: await modules.posts.update(id, body) }),
  },
  {
    ...reads("/v1/posts/{postId}/cancel", "cancelPost", "Cancel a draft or a scheduled post"),
    method: "POST",
    scope: "publish",
    data: postSchema,
    errors: ["not_found", "conflict"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.posts.cancel(id) }),
  },
  {
    ...publishes("/v1/posts/{postId}/retry", "retryPost", "Retry a post's failed targets"),
    body: { schema: retryPostSchema, isRequired: false, example: { force: false } },
    data: postSchema,
    errors: ["payment_required", "not_found", "conflict"],
    replay: "Or, if the key was used before on this post: the post in its current state; no retry was started.",
    async run({ modules, id, body, headers }: Call<never, RetryPost>) {
      const keyed = { ...body, ...idempotencyKey(body, headers) };
      const { post, replayed } = await modules.posts.retryOrReplay(id, keyed);
      return replayed ? { data: post, headers: { "Idempotent-Replay": "true" } } : { data: post };
    },
  },
  {
    ...reads("/v1/profiles", "listProfiles", "List connected profiles, newest first"),
    query: listProfilesSchema,
    data: profileSchema,
    isList: true,
    run: async ({ modules, query }: Call<ListProfiles, never>) => paged(await modules.profiles.list(query)),
  },
  ...connectRoutes,
  {
    ...reads("/v1/profiles/{profileId}", "getProfile", "Retrieve a profile"),
    data: profileSchema,
    errors: ["not_found"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.profiles.get(id) }),
  },
  {
    ...reads(
      "/v1/profiles/{profileId}/choices/{option}",
      "listOptionChoices",
      "List the values that an option may have on this account, as the network reports them",
    ),
    query: choicesQuerySchema,
    data: z.array(optionChoiceSchema),
    errors: ["not_found", "conflict", "publish_failed"],
    run: async ({ modules, id, parentId, query }: Call<ChoicesQuery, never>) => ({
      data: await modules.profiles.choices(parentId, id, query),
    }),
  },
  {
    ...changesProfiles(
      "POST",
      "/v1/profiles/{profileId}/check",
      "checkProfile",
      "Check with the network whether the connection still works",
    ),
    data: profileSchema,
    errors: ["not_found", "conflict", "publish_failed"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.profiles.check(id) }),
  },
  {
    ...changesProfiles(
      "DELETE",
      "/v1/profiles/{profileId}",
      "disconnectProfile",
      "Disconnect, and delete the credentials",
    ),
    status: 204,
    data: null,
    errors: ["not_found", "conflict"],
    async run({ modules, id }: Call<never, never>) {
      await modules.profiles.disconnect(id);
      return { data: null };
    },
  },
  {
    ...webhookRoute("GET", "/v1/webhooks", "listWebhooks", "List webhook endpoints, newest first"),
    query: listEndpointsSchema,
    data: endpointSchema,
    isList: true,
    run: async ({ modules, query }: Call<ListEndpoints, never>) => paged(await modules.webhooks.list(query)),
  },
  {
    ...webhookRoute(
      "POST",
      "/v1/webhooks",
      "createWebhook",
      "Register an endpoint; only this response contains its secret",
    ),
    body: {
      schema: createEndpointSchema,
      isRequired: true,
      example: { url: "https://receiver.sandbox.example/social", events: ["post.published", "post.failed"] },
    },
    status: 201,
    data: createdEndpointSchema,
    run: async ({ modules, body }: Call<never, CreateEndpoint>) => ({ data: await modules.webhooks.create(body) }),
  },
  {
    ...webhookRoute("GET", "/v1/webhooks/{webhookId}", "getWebhook", "Retrieve an endpoint"),
    data: endpointSchema,
    errors: ["not_found"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.webhooks.get(id) }),
  },
  {
    ...webhookRoute("PATCH", "/v1/webhooks/{webhookId}", "updateWebhook", "Update or resume an endpoint"),
    body: { schema: updateEndpointSchema, isRequired: true, example: { status: "active" } },
    data: endpointSchema,
    errors: ["not_found"],
    run: async ({ modules, id, body }: Call<never, UpdateEndpoint>) => ({
      data: await modules.webhooks.update(id, body),
    }),
  },
  {
    ...webhookRoute("DELETE", "/v1/webhooks/{webhookId}", "deleteWebhook", "Delete an endpoint and its log"),
    status: 204,
    data: null,
    errors: ["not_found"],
    async run({ modules, id }: Call<never, never>) {
      await modules.webhooks.delete(id);
      return { data: null };
    },
  },
  {
    ...webhookRoute(
      "POST",
      "/v1/webhooks/{webhookId}/test",
      "testWebhook",
      "Send a test delivery now and return the receiver's response",
    ),
    data: testResultSchema,
    errors: ["not_found"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.webhooks.test(id) }),
  },
  {
    ...webhookRoute("POST", "/v1/webhooks/{webhookId}/secret", "rotateWebhookSecret", "Replace the signing secret"),
    body: { schema: rotateSecretSchema, isRequired: false, example: { overlap_seconds: 3_600 } },
    data: secretSchema,
    errors: ["not_found"],
    run: async ({ modules, id, body }: Call<never, RotateSecret>) => ({
      data: await modules.webhooks.rotateSecret(id, body),
    }),
  },
  {
    ...webhookRoute(
      "GET",
      "/v1/webhooks/{webhookId}/deliveries",
      "listDeliveries",
      "List deliveries and their outcomes",
    ),
    query: listDeliveriesSchema,
    data: deliverySchema,
    isList: true,
    errors: ["not_found"],
    run: async ({ modules, id, query }: Call<ListDeliveries, never>) =>
      paged(await modules.webhooks.deliveries.list(id, query)),
  },
  {
    ...webhookRoute(
      "POST",
      "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/retry",
      "retryDelivery",
      "Redeliver the same bytes under the same id",
    ),
    data: deliverySchema,
    errors: ["not_found", "conflict"],
    run: async ({ modules, id, parentId }: Call<never, never>) => ({
      data: await modules.webhooks.deliveries.retry(parentId, id),
    }),
  },
  ...mediaRoutes,
  ...inboxRoutes,
  {
    ...reads("/v1/networks", "listNetworks", "List the limits and options of each network"),
    data: z.array(networkSchema),
    run: async ({ modules }: Call<never, never>) => ({ data: modules.networks.list() }),
  },
];

/** As far as the unparsed body tells. A released draft may also wait for its time. */
function isPublishingUpdate({ draft, publish_now, scheduled_at }: Record<string, unknown>, now: number): boolean {
  if (draft === true) return false;
  if (publish_now === true) return true;
  return typeof scheduled_at === "string" ? isNow(scheduled_at, now) : draft === false;
}
