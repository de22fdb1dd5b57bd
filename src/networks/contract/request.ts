import type { Json, JsonObject } from "../../wire/json.ts";
import type { IdentifiedPart, MediaSource } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";

/** A request from an adapter. Redirects are never followed. */
export interface NetworkRequest {
  /** HTTP method. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** On one of the network's `hosts` or on the profile's own. Any other URL is rejected before sending, unless `credential` is `none`. */
  url: string;
  /** In addition to the headers of the credential and the body. Holds no secret. */
  headers?: Readonly<Record<string, string>>;
  /** Absent: no body. */
  body?: RequestBody;
  /** Timeout of the whole exchange, seconds. @default 20; 300 with media in the body */
  hardEndSeconds?: number;
  /** Statuses other than 2xx that the adapter handles itself. Any other throws. */
  accept?: readonly number[];
  /** The network's machine codes for errors that the adapter handles itself, for statuses that also mean other errors. */
  acceptCodes?: readonly string[];
  /**
   * `none`: the request gets no credential, so it may go to any public host, such as an upload URL from a response.
   * @default the profile's
   */
  credential?: "none";
  /** The purpose of the request, named by the adapter. Rows of the error table can match it. */
  operation?: string;
  /** False: sent once, even if the response is lost. @default true */
  repeat?: boolean;
}

/** The body of a request. */
export type RequestBody =
  /** `contentType`: what a network requires instead of `application/json`. */
  | { json: Json; contentType?: string }
  | { form: Readonly<Record<string, string>> }
  | { file: FileContent }
  | { multipart: readonly MultipartField[] };

/** A field of multipart/form-data: text, or a file. */
export type MultipartField =
  | { name: string; value: string; contentType?: string }
  | { name: string; filename: string; file: FileContent };

/** Bytes in memory, or a media file that is streamed from its source: all of it, or a slice. */
export type FileContent =
  | { contentType: string; bytes: Uint8Array }
  | {
      contentType: string;
      media: MediaSource;
      maxBytes: number;
      slice?: FileSlice;
      /** True: it may be a file other than an image or video. @default false */
      anyKind?: boolean;
    };

/** Bytes `from` to `to` of a file, excluding `to`, like `slice`: 0 ≤ from < to ≤ its length. */
export interface FileSlice {
  /** The first byte, from 0. */
  from: number;
  /** One past the last byte. */
  to: number;
}

/** A network's response. */
export interface NetworkResponse {
  /** HTTP status: a success, or an error that the request accepts. */
  status: number;
  /** As received. Names are case-insensitive. */
  headers: Headers;
  /** Parsed JSON. Null: the body is not JSON. */
  body: unknown;
}

/** The context while an account is being connected. Credentials are not added automatically. */
export interface LoginContext {
  /**
   * Sends to the network's own hosts directly, and to any other host through the guard. Retries after a temporary
   * failure, unless `repeat` is false.
   *
   * @throws PublishingError by the error table, for statuses that are neither 2xx nor accepted
   */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The context of an adapter's work on behalf of a connected profile. */
export interface NetworkContext {
  /** The account of the service that the profile belongs to. */
  accountId: string;
  /** The profile. */
  profile: ProfileFacts;
  /** The credential, only for URLs that are themselves secret. */
  secret: JsonObject;
  /**
   * As in LoginContext, but adds the credential and renews it when it has expired. An error from the network is thrown;
   * the engine reads it.
   */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /** The store's time, milliseconds since 1970. */
  now(): number;
}

/** The context of `stage`: the profile's, with values that survive a crash. */
export interface StageContext extends NetworkContext {
  /** Position of the part in the thread, from 0. */
  index: number;
  /** Total number of parts, including a first comment. */
  count: number;
  /** The part that this one replies to. Null: this is the first part, or the id is unknown. */
  previous: IdentifiedPart | null;
  /** The same in every run for this part, and unique to it: 16 hexadecimal digits. */
  uniqueName: string;
  /**
   * Returns the value stored under `name`. Without one, calls `make` and stores its result before anything else
   * happens. After a crash a stored value is reused for `keepSeconds`, or until the network says that the staged data
   * is gone (`stage_again`).
   */
  once<Value extends Json>(name: string, make: () => Promise<Value>, options: KeepOptions): Promise<Value>;
  /** Deletes the value stored under `name`: the next `once` makes a new one. */
  forget(name: string): Promise<void>;
  /**
   * Reads the bytes of a file that the part names.
   *
   * @param options.anyKind true: it may be a file other than an image or video, such as captions. @default false
   * @throws PublishingError `media_error` beyond `maxBytes`
   */
  readMedia(url: string, options: { maxBytes: number; anyKind?: boolean }): Promise<Uint8Array>;
  /**
   * Reads the start of a file of any kind, to identify it before it is streamed: `bytes` bytes, or all of it.
   *
   * @throws PublishingError `media_error` if its host reports more than `maxBytes`
   */
  readStart(url: string, options: { bytes: number; maxBytes: number }): Promise<Uint8Array>;
  /**
   * Returns a URL from which the network can fetch a media file of the part, exactly as it is sent. The URL is ASCII,
   * does not redirect, supports ranges and returns the file's own type. It is valid for at least `seconds`; keep it
   * with `once` for a shorter time.
   *
   * @throws PublishingError `media_error` if the service has no URL that can be reached from the internet
   */
  signedUrl(url: string, options: PullOptions): Promise<string>;
}

/** Requirements for a URL from which a network fetches a file. */
export interface PullOptions {
  /** How long the URL is valid: 1 to 604,800, a week. */
  seconds: number;
  /** True: the URL is below the service's own `baseUrl`, for networks that fetch only from verified hosts. @default false */
  ownHost?: boolean;
}

/** How `once` stores a value. */
export interface KeepOptions {
  /** How long the network keeps the staged data, or less. */
  keepSeconds: number;
  /** True: the value is itself secret, such as an upload URL, and is encrypted at rest. @default false */
  sealed?: boolean;
}

/** Thrown by `stage` or `confirm`: the network is still working. The engine asks again later. */
export class NotReady extends Error {
  override readonly name = "NotReady";
}
