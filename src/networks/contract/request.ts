import type { Json, JsonObject } from "../../wire/json.ts";
import type { IdentifiedPart, MediaSource } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";

/** What an adapter asks for. Redirects are never followed. */
export interface NetworkRequest {
  /** Of HTTP. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** On one of the network's `hosts` or on the profile's own; anything else is refused before it is sent, unless `credential` is `none`. */
  url: string;
  /** Besides those of the credential and of the body. Holds no secret. */
  headers?: Readonly<Record<string, string>>;
  /** Absent: there is none. */
  body?: RequestBody;
  /** The whole exchange, seconds. @default 20; 300 with media in the body */
  hardEndSeconds?: number;
  /** Statuses besides 2xx that the adapter handles itself; any other throws. */
  accept?: readonly number[];
  /** The network's machine codes for refusals that the adapter handles itself, where their status means other things as well. */
  acceptCodes?: readonly string[];
  /**
   * `none`: the request gets no credential, so it may go to any public host, as
   * to an address for an upload out of an answer. @default the profile's
   */
  credential?: "none";
  /** What the request is for, in the adapter's words; rows of the error table may go by it. */
  operation?: string;
  /** False: sent once, whatever happens to its answer. @default true */
  repeat?: boolean;
}

/** What a request carries. */
export type RequestBody =
  /** `contentType`: what a network wants in place of `application/json`. */
  | { json: Json; contentType?: string }
  | { form: Readonly<Record<string, string>> }
  | { file: FileContent }
  | { multipart: readonly MultipartField[] };

/** A field of multipart/form-data: a text, or a file. */
export type MultipartField =
  | { name: string; value: string; contentType?: string }
  | { name: string; filename: string; file: FileContent };

/** Bytes at hand, or a media file that is streamed from where it lies: all of it, or a slice. */
export type FileContent =
  | { contentType: string; bytes: Uint8Array }
  | {
      contentType: string;
      media: MediaSource;
      maxBytes: number;
      slice?: FileSlice;
      /** True: it need not be a picture or video. @default false */
      anyKind?: boolean;
    };

/** Bytes `from` to `to` of a file, `to` not among them, as `slice` counts: 0 ≤ from < to ≤ its length. */
export interface FileSlice {
  /** The first byte, from 0. */
  from: number;
  /** Behind the last byte. */
  to: number;
}

/** A network's answer. */
export interface NetworkResponse {
  /** Of HTTP: a success, or that of a refusal that was accepted. */
  status: number;
  /** As they came; names are found in any case. */
  headers: Headers;
  /** Parsed JSON; null where the body is none. */
  body: unknown;
}

/** While an account is being connected: no credential is put on by itself. */
export interface LoginContext {
  /**
   * Sends to the network's own hosts directly, to any other through the guard.
   * Repeated after a passing failure, unless `repeat` is false.
   *
   * @throws PublishingError by the error table for statuses that are neither 2xx nor accepted
   */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What an adapter works with in the name of a connected profile. */
export interface NetworkContext {
  /** The account of the service that the profile belongs to. */
  accountId: string;
  /** Whose name it is. */
  profile: ProfileFacts;
  /** The credential, for addresses that are themselves a secret. */
  secret: JsonObject;
  /**
   * As in LoginContext, with the credential put on and renewed when it has run
   * out. What the network refuses is thrown for the engine to read.
   */
  request(request: NetworkRequest): Promise<NetworkResponse>;
  /** The store's time, milliseconds since 1970. */
  now(): number;
}

/** What `stage` works with: the profile's context, and values that outlive a crash. */
export interface StageContext extends NetworkContext {
  /** Position of the part in the thread, from 0. */
  index: number;
  /** How many parts go out in all, a first comment among them. */
  count: number;
  /** The part that this one replies to; null for the first, and while its id is unknown. */
  previous: IdentifiedPart | null;
  /** The same in every run for this part, and no other part's: 16 hexadecimal digits. */
  uniqueName: string;
  /**
   * The value kept under `name`, else what `make` returns, kept before anything
   * else happens. Kept values are reused after a crash for `keepSeconds`, or
   * until the network says that what was staged is gone (`stage_again`).
   */
  once<Value extends Json>(name: string, make: () => Promise<Value>, options: KeepOptions): Promise<Value>;
  /** Drops the value kept under `name`: the next `once` makes it anew. */
  forget(name: string): Promise<void>;
  /**
   * The bytes of a file that the part names.
   *
   * @param options.anyKind true: it need not be a picture or video, as captions are none. @default false
   * @throws PublishingError `media_error` beyond `maxBytes`
   */
  readMedia(url: string, options: { maxBytes: number; anyKind?: boolean }): Promise<Uint8Array>;
  /**
   * The beginning of a file of any kind, to see what it is before it is streamed: `bytes` bytes, or all of it.
   *
   * @throws PublishingError `media_error` where its host tells of more than `maxBytes`
   */
  readStart(url: string, options: { bytes: number; maxBytes: number }): Promise<Uint8Array>;
  /**
   * Where the network itself can fetch a media file of the part, as it is sent:
   * ASCII, answered directly with ranges and the file's own type. It holds for
   * at least `seconds`; keep it with `once`, for less.
   *
   * @throws PublishingError `media_error` where the service has no address that can be reached from the internet
   */
  signedUrl(url: string, options: PullOptions): Promise<string>;
}

/** What an address that a network fetches from is to hold for. */
export interface PullOptions {
  /** 1 to 604,800, a week. */
  seconds: number;
  /** True: below the service's own `baseUrl`, for networks that fetch from verified hosts alone. @default false */
  ownHost?: boolean;
}

/** How a stage keeps a value. */
export interface KeepOptions {
  /** How long the network keeps what was staged, or less. */
  keepSeconds: number;
  /** The value is itself a secret, as an address for an upload is: encrypted at rest. @default false */
  sealed?: boolean;
}

/** Thrown by `stage` or `confirm`: the network is still working; ask again later. */
export class NotReady extends Error {
  override readonly name = "NotReady";
}
