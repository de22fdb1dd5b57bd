import type { Json, JsonObject } from "../../wire/json.ts";
import type { AnyOptions, IdentifiedPart, Part } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";
import type { FileSlice } from "./request.ts";

/** Values that `stage` kept, by name. */
export type Staged = Readonly<Record<string, Json>>;

/** Everything that decides what a part's request looks like. The same input gives the same request. */
export interface CommitInput<Options = AnyOptions> {
  /** Whose post it is. */
  profile: ProfileFacts;
  /** For addresses that are themselves a secret; never put it in `json`. */
  secret: JsonObject;
  /** What is to go out. */
  part: Part<Options>;
  /** Position in the thread, from 0. */
  index: number;
  /** What `stage` has kept for it. */
  staged: Staged;
  /** The thread's first part, and the part that this one replies to; null for the first, and while its id is unknown. */
  first: IdentifiedPart | null;
  /** The part that this one replies to; null for the first, and while its id is unknown. */
  previous: IdentifiedPart | null;
  /** From `Publisher.key`. */
  key: string;
  /** When publishing it first began, ISO 8601: stays the same in every repetition. */
  created_at: string;
  /** The next parts, which go out in the same request (`Publisher.together`). */
  following?: readonly Omit<CommitInput<Options>, "first" | "previous" | "following">[];
}

/** The one request that makes a part public, as data: it is stored before it is sent. */
export interface CommitRequest {
  /** Of HTTP. */
  method: "POST" | "PUT";
  /** On one of the network's hosts or on the profile's own, unless `credential` is `none`. */
  url: string;
  /** Besides those of the credential and of the body. */
  headers?: Readonly<Record<string, string>>;
  /** What is stored, hashed and sent. */
  body: CommitBody;
  /** As in `NetworkRequest`. */
  credential?: "none";
  /** As in `NetworkRequest`. */
  operation?: string;
}

/** Holds no credential and nothing secret: it is stored as it is. */
export type CommitBody =
  | { json: JsonObject; contentType?: string }
  | { form: Readonly<Record<string, string>> }
  | { multipart: readonly CommitField[] }
  | { slice: CommitSlice };

/** Some of the bytes of a file, as the last of an upload that makes the post. */
export interface CommitSlice extends FileSlice {
  /** Index into the part's media. */
  media: number;
}

/** A field of multipart/form-data: a text, JSON, or a file. */
export type CommitField = { name: string; value: string } | { name: string; json: JsonObject } | CommitFile;

/** A file of the part's media, as a field of multipart/form-data. */
export interface CommitFile {
  /** The field's name. */
  name: string;
  /** What the network is told that it is called. */
  filename: string;
  /** Index into the part's media. */
  media: number;
}

/** What an idempotency key is made from. */
export interface KeySubject {
  /** The target. */
  subjectId: string;
  /** When publishing it first began, milliseconds: stays the same in every attempt. */
  createdAt: number;
  /** Position in the thread, from 0. */
  part: number;
  /** SHA-256 of what is sent, made with an empty key, files included: the same body gets the same key. */
  bodyHash: string;
}
