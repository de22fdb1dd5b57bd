import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { Lag } from "../parts/listing.ts";
import type { Accounts, StoredRecord } from "./accounts.ts";
import { invalidRequest } from "./refusal.ts";
import type { Authenticate, Methods } from "./server-methods.ts";
import { createTimelines } from "./timelines.ts";
import { postView, recordAt } from "./views.ts";

/** The methods of the view service, which shows changes only after its lag: profiles, posts and timelines. */
export function viewMethods(
  accounts: Accounts,
  { lag, authenticate }: { lag: Lag; authenticate: Authenticate },
): Methods {
  const timelines = createTimelines(accounts, lag);

  function getPosts(request: SandboxRequest): SandboxAnswer {
    const viewer = authenticate(request);
    const uris = request.url.searchParams.getAll("uris");
    if (uris.length === 0 || uris.length > 25) throw invalidRequest("uris must have 1 to 25 items");
    const shown = (uri: string): StoredRecord | undefined => {
      const stored = recordAt(accounts, uri);
      return stored !== undefined && lag.shows(stored.written_at) ? stored : undefined;
    };
    return ok({ posts: uris.flatMap((uri) => postView(accounts, { uri, viewer, shown }) ?? []) });
  }

  function getProfile(request: SandboxRequest): SandboxAnswer {
    authenticate(request);
    const account = accounts.find(request.url.searchParams.get("actor") ?? "");
    if (account === undefined) throw invalidRequest("Profile not found");
    const { did, handle, display_name: displayName } = account;
    return ok({ did, handle, displayName });
  }

  /** Omits accounts that were taken down. https://docs.bsky.app/docs/api/app-bsky-actor-get-profiles (2026-08) */
  function getProfiles(request: SandboxRequest): SandboxAnswer {
    authenticate(request);
    const actors = request.url.searchParams.getAll("actors");
    if (actors.length === 0 || actors.length > 25) throw invalidRequest("actors must have 1 to 25 items");
    const found = actors.flatMap((actor) => accounts.find(actor) ?? []).filter(({ status }) => status === "active");
    return ok({ profiles: found.map(({ did, handle }) => ({ did, handle })) });
  }

  return {
    "GET app.bsky.actor.getProfile": getProfile,
    "GET app.bsky.actor.getProfiles": getProfiles,
    "GET app.bsky.feed.getPosts": getPosts,
    "GET app.bsky.feed.getPostThread": (request) => timelines.thread(authenticate(request), request),
    "GET app.bsky.feed.getAuthorFeed": (request) => timelines.authorFeed(authenticate(request), request),
    "GET app.bsky.notification.listNotifications": (request) => timelines.notifications(authenticate(request), request),
  };
}
