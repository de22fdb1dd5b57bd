import type { SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { googleLoginHosts } from "../parts/google-login.ts";
import { known, withId } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createSimulation } from "../parts/simulation.ts";
import { belongingRoutes } from "./belongings.ts";
import { createLogins, everyScope } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { addVideo, api, type Channel, createState, type VideoFailure, type Ways } from "./state.ts";
import { uploadRoutes } from "./uploads.ts";
import { postsOf, videoRoutes } from "./videos.ts";

/** YouTube, simulated, with Google's sign-in. */
export interface YoutubeSandbox extends SandboxNetwork {
  /** Registers an app; that of `sandboxApp` exists from the start. */
  addApp(app: LoginApp): void;
  /** Creates a Google account with a channel; connect it with its tokens. */
  addChannel(options?: NewChannel): AddedChannel;
  /** Creates a Google account without a channel; returns its tokens. */
  addAccount(): IssuedTokens & { email: string };
  /** Creates a playlist of a channel; returns its id. */
  addPlaylist(channel: string, title: string): string;
  /** The owner uploads a video without the library; returns its id. */
  uploadByHand(channel: string, video: { title: string; description?: string; privacy?: string }): string;
  /** The comments under the videos, in order. */
  comments(): { id: string; video: string; author: string; text: string }[];
  /** The items of the playlists, in order. */
  playlistItems(): { id: string; playlist: string; video: string }[];
  /** The content that a video was created with. */
  video(id: string): { resource: object; size: number; hash: string; notifies: boolean; thumbnail: number | null };
  /** The owner deletes a video. */
  deleteVideo(id: string): void;
  /** Sets how long later videos are processed. */
  processFor(seconds: number): void;
  /** Makes the processing of the next video fail. */
  failNext(failure: VideoFailure): void;
  /** Changes these behaviours; the others stay the same. */
  change(ways: Partial<Ways>): void;
  /** Removes all uploads, finished or not. */
  forgetUploads(): void;
  /** Uses up the project's daily units for this long. */
  useUpUnits(seconds: number): void;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** Sets whether the apps are in testing: then later sign-ins end after a week. @default false */
  setTesting(isTesting: boolean): void;
  /** The owner revokes the apps' access. */
  revoke(email: string): void;
  /** The channel is suspended. */
  suspend(channel: string): void;
}

/** A channel to create. */
export interface NewChannel {
  /** Its title. @default "Alice" */
  title?: string;
  /** True: it has a verified phone number. @default true */
  isVerified?: boolean;
  /** The scopes of its tokens. @default all of YouTube's */
  scopes?: readonly string[];
  /** True: its uploads no longer exist once they are finished. @default false */
  forgetsUploads?: boolean;
}

/** A channel, and the tokens that connect it. */
export interface AddedChannel extends IssuedTokens {
  /** `UC…` */
  id: string;
  /** The e-mail address of its Google account. */
  email: string;
}

export function youtubeSandbox(ports: SandboxPorts): YoutubeSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const simulation = createSimulation({
    network: "youtube",
    hosts: [api, ...Object.values(googleLoginHosts)],
    commits: ["finishUpload", "insertPlaylistItem", "insertComment"],
    basics: state,
    routes: [
      ...uploadRoutes(state, logins),
      ...videoRoutes(state, logins),
      ...belongingRoutes(state, logins),
      ...logins.routes,
    ],
    missing: () => refusal(404, "notFound", "Not Found", { domain: "global" }).answer,
    assertTaken: assertQuota,
  });

  /** Rejects every request once the day's units are used up, and changes that are too frequent. */
  function assertQuota(request: SandboxRequest): void {
    if (request.url.hostname !== api) return;
    if (state.units.isUsedUp())
      throw refusal(403, "quotaExceeded", "The request cannot be completed because you have exceeded your quota.", {
        domain: "youtube.quota",
      });
    const isRead = request.method === "GET" || simulation.operation(request) === "checkUpload";
    if (isRead || !state.quota.isUsedUp()) return;
    throw refusal(429, "rateLimitExceeded", "Too many requests.", {
      domain: "usageLimits",
      status: "RESOURCE_EXHAUSTED",
      headers: { "retry-after": String(state.quota.secondsLeft()) },
    });
  }

  function channelOf(id: string): Channel {
    const account = state.accounts.find(({ channel }) => channel?.id === id);
    return known(account?.channel, `channel ${id}`);
  }

  function addAccount(channel: Channel | null, scopes: readonly string[]): IssuedTokens & { email: string } {
    const email = `person${state.accounts.length + 1}@gmail.example`;
    state.accounts.push({ email, channel });
    return { email, ...logins.issue(email, scopes) };
  }

  return {
    ...simulation,
    ...logins.switches,
    posts: () => postsOf(state),
    addChannel({ title = "Alice", isVerified = true, scopes = everyScope, forgetsUploads = false } = {}) {
      const id = `UC${state.id(22)}`;
      const handle = `@${title.toLowerCase().replace(/\W+/g, "")}`;
      const channel = { id, title, handle, isVerified, isSuspended: false, forgetsUploads, playlists: [] };
      return { id, ...addAccount(channel, scopes) };
    },
    addAccount: () => addAccount(null, everyScope),
    addPlaylist(channel, title) {
      const id = `PL${state.id(32)}`;
      channelOf(channel).playlists.push({ id, title });
      return id;
    },
    uploadByHand(channel, { title, description = "", privacy = "public" }) {
      const status = { privacyStatus: privacy, selfDeclaredMadeForKids: false };
      const resource = { snippet: { title, description, categoryId: "22" }, status };
      const file = { size: 1, hash: "", job: state.jobs.ended() };
      return addVideo(state, { channel: channelOf(channel), resource, notifies: true, ...file }).id;
    },
    comments: () =>
      state.comments.map(({ id, video, author, text }) => ({ id, video: video.id, author: author.id, text })),
    playlistItems: () =>
      state.items.map(({ id, playlistId, video }) => ({ id, playlist: playlistId, video: video.id })),
    video(id) {
      const { resource, size, hash, notifies, thumbnail } = withId(state.videos, id, "video");
      return { resource, size, hash, notifies, thumbnail };
    },
    deleteVideo(id) {
      withId(state.videos, id, "video").deleted = true;
    },
    processFor: state.jobs.take,
    failNext: state.jobs.failNext,
    change: (ways) => void Object.assign(state.ways, ways),
    forgetUploads() {
      for (const session of state.sessions) session.isForgotten = true;
    },
    useUpUnits: state.units.useUp,
    suspend(channel) {
      channelOf(channel).isSuspended = true;
    },
  };
}
