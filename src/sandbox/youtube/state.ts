import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { createQuota } from "../parts/quota.ts";
import { base64url, randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

export const api = "www.googleapis.com";

/** A Google account, which has one channel or none. */
export interface Account {
  email: string;
  channel: Channel | null;
}

export interface Channel {
  id: string;
  title: string;
  handle: string;
  /** It has a verified phone number: long videos, thumbnails of its own. */
  isVerified: boolean;
  isSuspended: boolean;
  /** Its uploads are not known any more once they are finished, instead of answering as they did. */
  forgetsUploads: boolean;
  playlists: Playlist[];
}

export interface Playlist {
  id: string;
  title: string;
}

/** How the work on a video ends, if not well. */
export interface VideoFailure {
  status: "failed" | "rejected";
  reason: string;
}

export interface Video {
  id: string;
  channel: Channel;
  resource: JsonObject & { snippet: JsonObject; status: JsonObject };
  notifies: boolean;
  /** Of the file, bytes, and what it is known by: SHA-256 in hexadecimal. */
  size: number;
  hash: string;
  created_at: number;
  job: Job<VideoFailure>;
  /** Bytes of its own thumbnail; null: it has none. */
  thumbnail: number | null;
  deleted: boolean;
}

/** An upload: nothing is on the channel before its last byte has come. */
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

/** In what it is not always the same. */
export interface Ways {
  /** Uploads that the project may begin in a day; null: any number. */
  uploadsPerDay: number | null;
  /** Of the next chunk only so many bytes arrive, once; null: all of them. */
  nextChunkTakes: number | null;
  /** What videos become, whatever is asked for; null: what is asked for. */
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
    /** The project's of the day. */
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
