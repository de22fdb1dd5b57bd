import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { endpoint, jsonBody, readAnswer } from "./api.ts";
import { type Creator, creatorIn, creatorRequest } from "./creator.ts";
import { codesOf } from "./errors.ts";
import type { Known } from "./known.ts";
import { scope } from "./scopes.ts";

/** https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (2026-11) */
const userSchema = z.object({
  data: z.object({
    user: z.object({
      open_id: z.string().min(1),
      display_name: z.string().nullish(),
      avatar_url: z.string().nullish(),
      username: z.string().nullish(),
    }),
  }),
});

type User = z.infer<typeof userSchema>["data"]["user"];

type Reading = Pick<LoginContext, "request">;

/** What the login allows, and whether TikTok itself has told it. */
export type Scopes = Pick<Known, "scopes" | "scopes_are_whole">;

export interface Account {
  user: User;
  /** Null: what it may do is not known. */
  creator: Creator | null;
}

/** One field of a scope that is missing fails the whole call. */
function userRequest(scopes: readonly string[]): NetworkRequest {
  const fields = ["open_id", "display_name", "avatar_url", ...(scopes.includes(scope.profile) ? ["username"] : [])];
  return { method: "GET", url: endpoint("user/info", fields) };
}

export async function readUser(context: Reading, scopes: readonly string[]): Promise<User> {
  return readAnswer(userSchema, await context.request(userRequest(scopes))).data.user;
}

export async function readAccount(context: Reading, { scopes }: Scopes): Promise<Account> {
  const user = await readUser(context, scopes);
  return { user, creator: scopes.includes(scope.publish) ? await readCreatorIfAny(context) : null };
}

/** That an account cannot post today does not say that it cannot be connected. */
async function readCreatorIfAny(context: Reading): Promise<Creator | null> {
  const response = await context.request({ ...creatorRequest, accept: [200, 403] });
  return codesOf(response.body).length > 0 ? null : creatorIn(response);
}

const lacking: ReadonlySet<string> = new Set(["scope_not_authorized", "scope_permission_missed"]);

/** Answers that say whether a scope is there. */
const telling = [200, 400, 401, 403];

/** What needs a scope, by the scope. Drafts cannot be tried. */
const questions: readonly (readonly [asks: string, request: NetworkRequest])[] = [
  [scope.basic, userRequest([])],
  [scope.profile, userRequest([scope.profile])],
  [scope.publish, creatorRequest],
  [scope.list, { method: "POST", url: endpoint("video/list", ["id"]), body: jsonBody({ max_count: 1 }) }],
];

/** No page of TikTok's tells what a token allows: what needs a scope is asked for. */
export async function probeScopes(context: Reading): Promise<Scopes> {
  const scopes: string[] = [];
  for (const [asks, request] of questions)
    if (isTaken(await context.request({ ...request, accept: telling }))) scopes.push(asks);
  return { scopes, scopes_are_whole: false };
}

function isTaken({ status, body }: NetworkResponse): boolean {
  const codes = codesOf(body);
  if (codes.includes("access_token_invalid") || (status === 401 && codes.length === 0))
    throw new PublishingError("reauthentication_required", "access_token: TikTok rejects it; it may have expired.");
  return !codes.some((code) => lacking.has(code));
}

export function identityOf({ user, creator }: Account, scopes: Scopes): Identity {
  const username = user.username || creator?.creator_username || null;
  const known: Known = { ...scopes, max_video_seconds: creator?.max_video_post_duration_sec ?? null };
  return {
    external_id: user.open_id,
    name: user.display_name || username || "TikTok",
    handle: username,
    avatar_url: user.avatar_url || null,
    url: username === null ? null : `https://www.tiktok.com/@${encodeURIComponent(username)}`,
    scopes: [...scopes.scopes],
    limits: {},
    host: null,
    account_facts: known,
  };
}
