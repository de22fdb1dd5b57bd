import type { z } from "zod";
import type { Json, JsonObject } from "../wire/json.ts";
import type { ErrorTable } from "./error-table.ts";
import type { LoginContext, NetworkContext, NetworkRequest, StageContext } from "./request.ts";
import type { MediaType, NetworkSpec, PostType, ProfileLimits } from "./spec.ts";

/**
 * One network: what it accepts (data), how its errors read (data), and a few
 * verbs. The engine calls them; an adapter knows no storage, no service and no
 * other network.
 *
 * Adding a network:
 * 1. a folder with `index`, `limits`, `options`, `errors`, `connect`, `publish`;
 * 2. every number in `limits.ts` with its address and the month it was read;
 * 3. recorded answers of the network as fixtures for its tests;
 * 4. its row in the contract test (`networkContract`) and in the sandbox;
 * 5. the README's table, which is generated.
 */
export interface NetworkAdapter {
  spec: NetworkSpec;
  /** The pass-through keys of `networks.<network>` that this network reads. Strict; each field described. */
  options: z.ZodObject;
  errors: ErrorTable;
  connect: Connector;
  /** Absent on networks that only have an inbox. */
  publish?: Publisher;
}

// Profiles

/** What the adapter itself learnt about an account when it was connected. */
export interface ProfileFacts {
  id: string;
  /** The account's own id on the network. */
  external_id: string;
  handle: string | null;
  url: string | null;
  limits: ProfileLimits;
  /** The account's own server, vetted when it was connected: `pds.example.com`. Null where all accounts share the network's hosts. */
  host: string | null;
  /** What `login` or `inspect` wants to find again; never a secret. */
  known: JsonObject;
}

/** Who an account is, as the network tells it. */
export interface Identity {
  /** Unique on the whole network; for federated networks it holds the instance. */
  external_id: string;
  name: string;
  handle: string | null;
  avatar_url: string | null;
  url: string | null;
  /** What the credentials may do, in the network's own words. */
  scopes: string[];
  limits: ProfileLimits;
  host: string | null;
  known: JsonObject;
}

/** A set of credentials as the vault keeps it. */
export interface Credentials {
  /** What `authorize` needs. Encrypted at rest, never shown. */
  secret: JsonObject;
  /** When it must be renewed, milliseconds; null: never. */
  expires_at: number | null;
  /** When it is renewed although nothing needs it, because it would die of idleness, milliseconds. Absent: it would not. */
  refresh_at?: number;
}

export interface Connector {
  /** What `profiles.connect({ credentials })` takes, each field described. */
  credentials: z.ZodType<JsonObject>;
  /**
   * Finds out whose credentials these are and what they allow.
   *
   * @throws PublishingError `reauthentication_required` when they are wrong, `invalid_request` naming what is missing.
   * A message that begins with a credential's name and a colon is shown at that credential
   */
  login(context: LoginContext, credentials: JsonObject): Promise<{ identity: Identity; credentials: Credentials }>;
  /** Reads the account again: still there, still allowed, which limits. */
  inspect(context: NetworkContext): Promise<Identity>;
  /** Puts the credential on a request. Pure. Not called for requests that bring their own `authorization` header. */
  authorize(request: NetworkRequest, secret: JsonObject): NetworkRequest;
  /**
   * Trades credentials for newer ones. Called by the profile's holder alone. A
   * request in here is not itself renewed: an old token is the answer.
   *
   * @throws PublishingError `reauthentication_required` only when the network says that they are dead
   */
  refresh?(context: NetworkContext): Promise<Credentials>;
  /**
   * Where the account lives now, asked when the server that it is known on
   * refuses it or cannot be reached. Null: where it did, as far as is known.
   *
   * @throws PublishingError `reauthentication_required` when it lives where these credentials must not go
   */
  relocate?(context: NetworkContext): Promise<Pick<Identity, "host" | "known"> | null>;
  /** Tells the network that the credentials are no longer used. Its failure does not keep a profile connected. */
  revoke?(context: NetworkContext): Promise<void>;
}

// Publishing: design of the five phases

/** One media file of a post, measured. */
export interface PlannedMedia {
  url: string;
  type: MediaType;
  mime_type: string;
  /** Null when its host does not tell. */
  size_bytes: number | null;
  alt: string | null;
  thumbnail_url: string | null;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
}

export interface PlannedLink {
  url: string;
  title: string | null;
  description: string | null;
  image_url: string | null;
}

/** A post as one network is to see it, overrides applied. */
export interface PlanInput {
  text: string;
  title: string | null;
  link: PlannedLink | null;
  thread: readonly string[] | null;
  auto_thread: boolean;
  media: readonly PlannedMedia[];
  post_type: PostType;
  /** Parsed by the adapter's `options`. */
  options: JsonObject;
}

/** What one request makes public: a post, or one element of a thread. */
export interface Part {
  text: string;
  media: PlannedMedia[];
  link: PlannedLink | null;
  title: string | null;
  post_type: PostType;
  options: JsonObject;
}

/** A part that is live. */
export interface PublishedPart {
  /** The network's own id, as it appears in `post_ids`. */
  id: string;
  /** Permalink. */
  url: string | null;
  /** Whatever a reply to it needs besides the id. */
  ref: Json;
  /** What the network made of it otherwise than asked, for humans: shown on the target. */
  warnings?: string[];
}

/** What one request made public: its part, and those that went out with it. */
export interface Published extends PublishedPart {
  following?: PublishedPart[];
}

/** Values that `stage` kept, by name. */
export type Staged = Readonly<Record<string, Json>>;

/** Everything that decides what a part's request looks like. The same input gives the same request. */
export interface CommitInput {
  profile: ProfileFacts;
  /** For addresses that are themselves a secret; never put it in `json`. */
  secret: JsonObject;
  part: Part;
  /** Position in the thread, from 0. */
  index: number;
  staged: Staged;
  /** The thread's first part, and the part that this one replies to; null for the first. */
  first: PublishedPart | null;
  previous: PublishedPart | null;
  /** From `Publisher.key`. */
  key: string;
  /** When publishing it first began, ISO 8601: stays the same in every repetition. */
  created_at: string;
  /** The next parts, which go out in the same request (`Publisher.together`). */
  following?: readonly Omit<CommitInput, "first" | "previous" | "following">[];
}

/** The one request that makes a part public, as data: it is stored before it is sent. */
export interface CommitRequest {
  method: "POST" | "PUT";
  url: string;
  headers?: Readonly<Record<string, string>>;
  json: JsonObject;
  /** Files that go with it: the request is then multipart/form-data with `json` in the field `json_field`. */
  files?: { json_field: string; items: readonly CommitFile[] };
}

export interface CommitFile {
  /** The form field. */
  field: string;
  filename: string;
  /** Index into the part's media. */
  media: number;
}

export interface LocateInput extends CommitInput {
  /** Nothing older than this can be the part, milliseconds in the network's time (the intent's less two minutes). */
  since: number;
  /**
   * The store was restored from a backup: what was sent, and when, is not on
   * record, only the part. `staged` is empty, and `created_at` may be later.
   */
  isRestored?: boolean;
}

/**
 * What a look at the account shows. The engine weighs what the lists show; it
 * drops what other targets own.
 */
export type Sighting =
  /** By our own key or handle, so certain. Of parts that follow it, those that are there, up to the first that is not. */
  | { live: Published }
  | { absent: true }
  /** The account's posts, to be compared with the part. */
  | Sight
  /** The network is still working on it. */
  | { pending: string }
  /** This account cannot be read; the reason is for humans. */
  | { cannot_tell: string };

export interface Sight {
  /** What the part replies to; null: nothing. */
  parent: string | null;
  lists: readonly AccountList[];
}

/** The account's posts as one of the network's lists shows them. */
export interface AccountList {
  /** All that were read, older ones too. */
  posts: readonly SeenPost[];
  /** Paging reached `since`. */
  isWhole: boolean;
  /**
   * Posts like this part, of its visibility and kind, are known to stand in
   * this list: by the network's documents, or because one does. Else its
   * silence means nothing, unless it has shown one under `name` before.
   */
  showsSuch: boolean;
  /** List, software and kind of post; as in `AccountLists.names`. */
  name: string;
}

/** A post on the account. */
export interface SeenPost {
  published: PublishedPart;
  /** Milliseconds, the network's time. */
  created_at: number;
  /** What it says, in each form in which the network shows it: compared with `Publisher.says`. */
  texts: readonly string[];
  /** What it replies to; null: nothing. Absent: the list does not tell. */
  parent?: string | null;
  /** It has as many files and so on as the part, but for what the network may change. */
  isSameKind: boolean;
  /** It bears our own handle, or one that cannot be ours; null: neither can be seen. */
  mark: "ours" | "foreign" | null;
}

/** Lists whose silence counts only once they have shown a post of the same kind. */
export interface AccountLists {
  /** Names under which it is remembered that they do, one of which is enough; none where that is known. */
  names(input: CommitInput): readonly string[];
  /** One that shows a part that is certainly live, if any does. */
  showing(context: NetworkContext, published: PublishedPart, input: CommitInput): Promise<readonly string[]>;
}

/** How long to wait and look, as data; from the network's notes. */
export interface CommitRules {
  /** After this the request is over, whatever happened, seconds. */
  hardEndSeconds: number;
  /**
   * After a lost answer the network may still accept for this long beyond the
   * hard end; no look before that. 0: one look decides at once, because a
   * second request under the same key is refused.
   */
  settleSeconds: { text: number; image: number; video: number };
  /** Empty looks that make *absent*, 60 s apart. */
  emptyReads: 1 | 2;
  /** After a lost answer the process that sent it sends the same request again for this long after the intent; the network drops the repetition by its key. 0: never. */
  replaySeconds: number;
  /** A part that stays pending longer than this cannot be told, seconds. */
  pendingCapSeconds: number;
  /** A second request under the same key is refused for ever, so what the key shows is certain. */
  isKeyed: boolean;
}

/** For networks that must be read back. */
export const readBackRules: CommitRules = {
  hardEndSeconds: 30,
  settleSeconds: { text: 30, image: 120, video: 300 },
  emptyReads: 2,
  replaySeconds: 0,
  pendingCapSeconds: 3600,
  isKeyed: false,
};

export interface Publisher {
  /** May differ by profile. */
  rules(profile: ProfileFacts): CommitRules;
  /** The idempotency key: stable for the same input. */
  key(subject: KeySubject): string;
  /**
   * Uploads and look-ups that nobody can see. May run again at any time; what
   * it made is kept under a name with `context.once`.
   */
  stage?(context: StageContext, part: Part): Promise<void>;
  /**
   * How many parts of the input, from the first on, one request makes public, all or none of them: at least one.
   * Only where a second request under the same keys is refused (`isKeyed`). Pure. Absent: one.
   */
  together?(input: CommitInput): number;
  /** The one request that makes the part public, and those that follow it. Pure; at most one per part. */
  commit(input: CommitInput): CommitRequest;
  /** All of its parts out of a 2xx answer; null when the answer does not say. */
  accepted(body: unknown, input: CommitInput): Published | null;
  /** The post that a duplicate refusal names. */
  duplicateOf?(body: unknown, input: CommitInput): PublishedPart | null;
  /** Reads until the network is done; completes the permalink. Its failure never fails the target. */
  confirm?(context: NetworkContext, published: PublishedPart, input: CommitInput): Promise<PublishedPart>;
  /** Did the part whose answer was lost go out? Only reads. */
  locate(context: NetworkContext, input: LocateInput): Promise<Sighting>;
  /** All the words that the part shows, in each form that the network may make of them. Pure. */
  says(part: Part, index: number): readonly string[];
  /** Absent: the network's lists are known to show everything. */
  lists?: AccountLists;
}

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
