import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { createQuota } from "../parts/quota.ts";
import { base64url, randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

export const api = "www.googleapis.com";

/** A Google account, with one channel or none. */
export interface Account {
  email: string;
  channel: Channel | null;
}

export interface Channel {
  id: string;
  title: string;
  handle: string;
  /** True: it has a verified phone number, for long videos and custom thumbnails. */
  isVerified: boolean;
  isSuspended: boolean;
  /** True: its uploads no longer exist once they are finished, instead of repeating their response. */
  forgetsUploads: boolean;
  playlists: Playlist[];
}

export interface Playlist {
  id: string;
  title: string;
}

/** The failure of a video's processing. */
export interface VideoFailure {
  /** The status that the video then has. */
  status: "failed" | "rejected";
  /** YouTube's reason. */
  reason: string;
}

export interface Video {
  id: string;
  channel: Channel;
  resource: JsonObject & { snippet: JsonObject; status: JsonObject };
  notifies: boolean;
  /** The file's size in bytes, and its SHA-256 in hexadecimal. */
  size: number;
  hash: string;
  created_at: number;
  job: Job<VideoFailure>;
  /** The size of its custom thumbnail, bytes; null: it has none. */
  thumbnail: number | null;
  deleted: boolean;
}

/** An upload: the video is on the channel only once the last byte has arrived. */
export interface Session {
  id: string;
  channel: Channel;
  resource: Video["resource"];
  parts: string[];
  notifies: boolean;
  total: number;
  /** Null once it is finished. */
  bytes: Uint8Array | null;
  held: number;
  video: Video | null;
  isForgotten: boolean;
  created_at: number;
}

export interface PlaylistItem {
  id: string;
  playlistId: string;
  video: Video;
  created_at: number;
}

export interface Comment {
  id: string;
  video: Video;
  author: Channel;
  text: string;
  created_at: number;
}

/** Behaviours that can vary. */
export interface Ways {
  /** The maximum number of uploads that the project may start per day; null: no limit. */
  uploadsPerDay: number | null;
  /** Only this many bytes of the next chunk arrive, once; null: all of them. */
  nextChunkTakes: number | null;
  /** The privacy that videos get, whatever is requested; null: the requested one. */
  privacyBecomes: string | null;
}

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  const ways: Ways = { uploadsPerDay: null, nextChunkTakes: null, privacyBecomes: null };
  return {
    ...createBasics(ports),
    accounts: [] as Account[],
    sessions: [] as Session[],
    videos: [] as Video[],
    items: [] as PlaylistItem[],
    comments: [] as Comment[],
    /** The project's daily units. */
    units: createQuota(ports.clock),
    jobs: createJobs<VideoFailure>(ports.clock),
    ways,
    id: (length: number): string => randomText(ports, length, base64url),
  };
}

export function addVideo(
  state: State,
  given: Pick<Video, "channel" | "resource" | "notifies" | "size" | "hash" | "job">,
): Video {
  const video = { ...given, id: state.id(11), created_at: state.now(), thumbnail: null, deleted: false };
  state.videos.push(video);
  return video;
}
