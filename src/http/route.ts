import type * as z from "zod";
import type { Connections } from "../connections/connections.ts";
import type { Media } from "../hosting/media.ts";
import type { UploadSource } from "../hosting/source.ts";
import type { AccountInbox } from "../inbox/inbox.ts";
import type { Scope } from "../keys/schema.ts";
import type { NetworkDescription } from "../networks/runtime/schema.ts";
import type { Posts } from "../posts/posts.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { RequestCode } from "../wire/errors.ts";
import type { Pagination } from "../wire/pagination.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Which of a key's two budgets a request is taken from. */
export type Bucket = "read" | "publish";

/** What a route works with. */
export interface Modules {
  posts: Posts;
  profiles: Profiles;
  connections: Connections;
  webhooks: Webhooks;
  media: Media;
  inbox: AccountInbox;
  networks: { list(): NetworkDescription[] };
}

/** One request to a route, parsed. */
export interface Call<Query, Body> {
  modules: Modules;
  /** The path's last parameter; empty where it has none. */
  id: string;
  /** The parameter before it: for a delivery, its webhook endpoint. Empty where there is none. */
  parentId: string;
  query: Query;
  body: Body;
  /** What came instead of a body of JSON; null: nothing did. */
  file: UploadSource | null;
  headers: Headers;
}

/** What a route answers: `data`, and `meta.pagination` of a list. */
export interface Reply {
  data: unknown;
  pagination?: Pagination;
  /** Instead of the route's own. */
  status?: number;
  headers?: Record<string, string>;
}

/**
 * One route, as data: routing, parsing, rights, limits, the OpenAPI document
 * and the table in `examples/rest` all come from here.
 */
export interface Route {
  method: Method;
  /** `/v1/posts/{postId}`: at most two parameters. */
  path: string;
  /** Names the route in the OpenAPI document: `getPost`. */
  operation: string;
  summary: string;
  scope: Scope;
  bucket: Bucket;
  /** For routes where the body decides: true when this body, not yet parsed, publishes and counts as such. */
  publishes?(body: Record<string, unknown>, now: number): boolean;
  query: z.ZodObject | null;
  body: RouteBody | null;
  status: 200 | 201 | 204;
  /** `data` of a success; of a list, one item. Null: there is none. */
  data: z.ZodType | null;
  isList: boolean;
  /** Failures besides those of every route. */
  errors: readonly RequestCode[];
  /** It takes an `Idempotency-Key`, and this is what it answers, with 200, to one that was used before. */
  replay?: string;
  run(call: Call<never, never>): Promise<Reply>;
}

export interface RouteBody {
  schema: z.ZodObject;
  /** False: an empty body stands for `{}`. */
  isRequired: boolean;
  example: object;
  /** True: the body may be a file instead, as it is or in a form. @default false */
  mayBeFile?: boolean;
}
