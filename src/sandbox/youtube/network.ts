import type { SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { googleLoginHosts } from "../parts/google-login.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createRouter, type Route } from "../parts/routes.ts";
import { createBelongings } from "./belongings.ts";
import { createLogins, everyScope, type Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { createState, type State, type VideoFailure, type Ways } from "./state.ts";
import { createUploads, putOperation } from "./uploads.ts";
import { createVideos, postsOf } from "./videos.ts";

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

/** An app that is registered from the start. */
export const sandboxApp: LoginApp = {
  client_id: "sandbox.apps.googleusercontent.com",
  client_secret: "GOCSPX-sandbox-secret",
  redirect_uris: ["https://app.example.com/connect/youtube/callback"],
};

const api = "www.googleapis.com";
const loginHost = googleLoginHosts.tokens;
const hosts: ReadonlySet<string> = new Set([api, ...Object.values(googleLoginHosts)]);

export function youtubeSandbox(ports: SandboxPorts): YoutubeSandbox {
  const state = createState(ports);
  state.apps.push(sandboxApp);
  const logins = createLogins(state, ports);
  const router = createRouter({
    routes: routesOf(state, logins),
    missing: refusal(404, "notFound", "Not Found", { domain: "global" }).answer,
    assertTaken: assertQuota,
  });

  /** Whoever asks, once the day's units are gone; and whatever changes something, where it was too fast. */
  function assertQuota(request: SandboxRequest): void {
    if (request.url.hostname !== api) return;
    if (state.units.isUsedUp())
      throw refusal(403, "quotaExceeded", "The request cannot be completed because you have exceeded your quota.", {
        domain: "youtube.quota",
      });
    const isRead = request.method === "GET" || router.operation(request) === "checkUpload";
    if (isRead || !state.quota.isUsedUp()) return;
    const seconds = Math.ceil((state.quota.endsAt() - state.now()) / 1000);
    throw refusal(429, "rateLimitExceeded", "Too many requests.", {
      domain: "usageLimits",
      status: "RESOURCE_EXHAUSTED",
      headers: { "retry-after": String(seconds) },
    });
  }

  return {
    network: "youtube",
    serves: (host) => hosts.has(host),
    ...router,
    commits: ["finishUpload", "insertPlaylistItem", "insertComment"],
    faults: createFaults(),
    posts: () => postsOf(state),
    rateLimit: state.quota.useUp,
    lagReads: state.lag.take,
    ...settings(state, logins),
  };
}

function routesOf(state: State, logins: Logins): Route[] {
  const uploads = createUploads(state, logins);
  const videos = createVideos(state, logins);
  const belongings = createBelongings(state, logins);
  const call = (method: string, path: string, operation: Route["operation"], handle: Route["handle"]): Route => {
    return { host: api, method, path, operation, handle };
  };
  return [
    call("POST", "/upload/youtube/v3/videos", "openUpload", uploads.open),
    call("PUT", "/upload/youtube/v3/videos", putOperation, uploads.put),
    call("POST", "/upload/youtube/v3/thumbnails/set", "setThumbnail", videos.setThumbnail),
    call("GET", "/youtube/v3/channels", "listChannels", videos.channels),
    call("GET", "/youtube/v3/videos", "listVideos", videos.list),
    call("GET", "/youtube/v3/videoCategories", "listVideoCategories", videos.categories),
    call("GET", "/youtube/v3/playlists", "listPlaylists", belongings.playlists),
    call("GET", "/youtube/v3/playlistItems", "listPlaylistItems", belongings.items),
    call("POST", "/youtube/v3/playlistItems", "insertPlaylistItem", belongings.insertItem),
    call("GET", "/youtube/v3/commentThreads", "listCommentThreads", belongings.comments),
    call("POST", "/youtube/v3/commentThreads", "insertComment", belongings.insertComment),
    { ...call("POST", "/token", "token", logins.token), host: loginHost },
    { ...call("GET", "/tokeninfo", "tokenInfo", logins.tokenInfo), host: loginHost },
    { ...call("POST", "/revoke", "revoke", logins.revoke), host: loginHost },
    { ...call("GET", "/o/oauth2/v2/auth", "authorize", logins.authorize), host: googleLoginHosts.page },
  ];
}

type Settings = Omit<YoutubeSandbox, keyof SandboxNetwork>;

function settings(state: State, logins: Logins): Settings {
  const channelOf = (id: string) => {
    const channel = state.accounts.find((account) => account.channel?.id === id)?.channel;
    if (channel == null) throw new Error(`The sandbox has no channel ${id}.`);
    return channel;
  };
  const videoOf = (id: string) => {
    const video = state.videos.find((each) => each.id === id);
    if (video === undefined) throw new Error(`The sandbox has no video ${id}.`);
    return video;
  };
  const newEmail = (): string => `person${state.accounts.length + 1}@gmail.example`;
  return {
    addApp: (app) => void state.apps.push(app),
    addChannel({ title = "Alice", isVerified = true, scopes = everyScope, forgetsUploads = false } = {}) {
      const email = newEmail();
      const id = `UC${state.id(22)}`;
      const handle = `@${title.toLowerCase().replace(/\W+/g, "")}`;
      state.accounts.push({
        email,
        channel: { id, title, handle, isVerified, isSuspended: false, forgetsUploads, playlists: [] },
      });
      return { id, email, ...logins.issue(email, scopes) };
    },
    addAccount() {
      const email = newEmail();
      state.accounts.push({ email, channel: null });
      return { email, ...logins.issue(email, everyScope) };
    },
    addPlaylist(channel, title) {
      const id = `PL${state.id(32)}`;
      channelOf(channel).playlists.push({ id, title });
      return id;
    },
    uploadByHand(channel, { title, description = "", privacy = "public" }) {
      const id = state.id(11);
      const status = { privacyStatus: privacy, selfDeclaredMadeForKids: false };
      state.videos.push({
        id,
        channel: channelOf(channel),
        resource: { snippet: { title, description, categoryId: "22" }, status },
        notifies: true,
        size: 1,
        hash: "",
        created_at: state.now(),
        job: { ready_at: state.now(), failure: null },
        thumbnail: null,
        deleted: false,
      });
      return id;
    },
    comments: () =>
      state.comments.map(({ id, video, author, text }) => ({ id, video: video.id, author: author.id, text })),
    playlistItems: () =>
      state.items.map(({ id, playlistId, video }) => ({ id, playlist: playlistId, video: video.id })),
    video(id) {
      const { resource, size, hash, notifies, thumbnail } = videoOf(id);
      return { resource, size, hash, notifies, thumbnail };
    },
    deleteVideo(id) {
      videoOf(id).deleted = true;
    },
    processFor: state.jobs.take,
    failNext: state.jobs.failNext,
    change: (ways) => void Object.assign(state.ways, ways),
    forgetUploads() {
      for (const session of state.sessions) session.isForgotten = true;
    },
    useUpUnits: state.units.useUp,
    expireTokens: logins.expireAccess,
    setTesting: logins.setTesting,
    revoke: logins.takeBack,
    suspend(channel) {
      channelOf(channel).isSuspended = true;
    },
  };
}
