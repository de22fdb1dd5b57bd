import type { Json, JsonObject } from "../../wire/json.ts";
import type { AnyOptions, IdentifiedPart, Part } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";
import type { FileSlice } from "./request.ts";

/** Values that `stage` kept, by name. */
export type Staged = Readonly<Record<string, Json>>;

/** All input that determines a part's request. The same input gives the same request. */
export interface CommitInput<Options = AnyOptions> {
  /** The profile that posts. */
  profile: ProfileFacts;
  /** Only for URLs that are themselves secret. Never put it in `json`. */
  secret: JsonObject;
  /** The part to send. */
  part: Part<Options>;
  /** Position in the thread, from 0. */
  index: number;
  /** The values that `stage` kept for this part. */
  staged: Staged;
  /** The thread's first part. Null: this is the first part, or the id is unknown. */
  first: IdentifiedPart | null;
  /** The part that this one replies to. Null: this is the first part, or the id is unknown. */
  previous: IdentifiedPart | null;
  /** From `Publisher.key`. */
  key: string;
  /** When publishing first began, ISO 8601. The same in every attempt. */
  created_at: string;
  /** The next parts, which go out in the same request (`Publisher.partsPerRequest`). */
  following?: readonly Omit<CommitInput<Options>, "first" | "previous" | "following">[];
}

/** The one request that makes a part public, as data. It is stored before it is sent. */
export interface CommitRequest {
  /** HTTP method. */
  method: "POST" | "PUT";
  /** On one of the network's hosts or on the profile's own, unless `credential` is `none`. */
  url: string;
  /** In addition to the headers of the credential and the body. */
  headers?: Readonly<Record<string, string>>;
  /** The body that is stored, hashed and sent. */
  body: CommitBody;
  /** As in `NetworkRequest`. */
  credential?: "none";
  /** As in `NetworkRequest`. */
  operation?: string;
}

/** Holds no credential and no other secret, because it is stored unencrypted. */
export type CommitBody =
  | { json: JsonObject; contentType?: string }
  | { form: Readonly<Record<string, string>> }
  | { multipart: readonly CommitField[] }
  | { slice: CommitSlice };

/** A slice of a file: the last chunk of an upload whose completion makes the post public. */
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
  /** The filename that the network sees. */
  filename: string;
  /** Index into the part's media. */
  media: number;
}

/** The input for an idempotency key. */
export interface KeySubject {
  /** The target's id. */
  subjectId: string;
  /** When publishing first began, milliseconds. The same in every attempt. */
  createdAt: number;
  /** Position in the thread, from 0. */
  part: number;
  /** SHA-256 of the body with an empty key, files included. The same body gets the same key. */
  bodyHash: string;
}
