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

/** YouTube, simulated, with Google's login. */
export interface YoutubeSandbox extends SandboxNetwork {
  /** Registers an app; the one of `sandboxApp` is there from the start. */
  addApp(app: LoginApp): void;
  /** Makes a Google account with a channel; its tokens connect it. */
  addChannel(options?: NewChannel): AddedChannel;
  /** Makes a Google account that has no channel; returns its tokens. */
  addAccount(): IssuedTokens & { email: string };
  /** Makes a playlist of a channel; returns its id. */
  addPlaylist(channel: string, title: string): string;
  /** The owner uploads a video by hand; returns its id. */
  uploadByHand(channel: string, video: { title: string; description?: string; privacy?: string }): string;
  /** What stands under the videos, in order. */
  comments(): { id: string; video: string; author: string; text: string }[];
  /** What is in the playlists, in order. */
  playlistItems(): { id: string; playlist: string; video: string }[];
  /** What a video was made of. */
  video(id: string): { resource: object; size: number; hash: string; notifies: boolean; thumbnail: number | null };
  /** The owner deletes a video. */
  deleteVideo(id: string): void;
  /** Videos that come from now on are worked on for this long. */
  processFor(seconds: number): void;
  /** The next video cannot be used. */
  failNext(failure: VideoFailure): void;
  /** From now on it does this in another way; the rest stays as it is. */
  change(ways: Partial<Ways>): void;
  /** No upload is known any more, finished or not. */
  forgetUploads(): void;
  /** The project's units of the day are used up for this long. */
  useUpUnits(seconds: number): void;
  /** All access tokens run out now. */
  expireTokens(): void;
  /** The apps are in testing: logins from now on end after a week. @default false */
  setTesting(isTesting: boolean): void;
  /** The owner takes back what the apps were allowed. */
  revoke(email: string): void;
  /** The channel is suspended. */
  suspend(channel: string): void;
}

export interface NewChannel {
  /** @default "Alice" */
  title?: string;
  /** It has a verified phone number. @default true */
  isVerified?: boolean;
  /** What its tokens allow. @default all that YouTube has */
  scopes?: readonly string[];
  /** Its uploads are not known any more once they are finished. @default false */
  forgetsUploads?: boolean;
}

/** A channel, and what connects it. */
export interface AddedChannel extends IssuedTokens {
  /** `UC…` */
  id: string;
  /** Of the Google account that it belongs to. */
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

  /** Whoever asks, once the day's units are gone; and whatever changes something, where it was too fast. */
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
