/** How an account responds and can be asked, as literals. The other files of this folder derive the outcomes. */
export interface AccountRules {
  /** When the publishing request is over, whatever happened, seconds. */
  hardEndSeconds: number;
  /** For how long after its hard end the network may still carry it out, seconds. 0: one look decides immediately. */
  settleSeconds: number;
  /** The same with an image, where both an image and a plain text are tested. */
  settleWithPictureSeconds?: number;
  /** From one look that finds nothing to the next, seconds. Absent: one look decides. */
  betweenLooksSeconds?: number;
  /**
   * An inconclusive look is repeated until this long after the hard end, seconds. Absent: no
   * tested look lasts so long.
   */
  capSeconds?: number;
  /** When a post with an image is first sent, seconds: it is postponed once before. @default 0 */
  firstWithPictureSeconds?: number;
  /**
   * How a look finds a post whose response is lost.
   * `list`: in the account's list of posts · `upload`: by the state of its video ·
   * `container`: by the state of its container, known before the post is shown; each is published once ·
   * `key`: by its key, which the network accepts once, for ever · `nothing`: it cannot be verified.
   */
  foundBy: "list" | "upload" | "container" | "key" | "nothing";
  /** The number of requests of a look that finds the post. @default 1 */
  requestsToFind?: number;
  /** How long the network remembers a request's key and drops a repetition, seconds. @default it does not */
  replaySeconds?: number;
  /**
   * True: a request carried out after all waits makes no second post. @default true for
   * `container` and `key`, else false
   */
  isTakenOnce?: boolean;
  /** The part of a 2xx that confirms the publication. @default "body" */
  yes?: Yes;
  /** What a 401 means with a text that no row of the error table lists, and on an HTML page. */
  on401: { words: "renew" | "reconnect" | "rejected"; page: "renew" | "reconnect" | "lost" };
  /** How the network names the end of a rate limit. */
  limitTold: "for how long" | "until when" | "until which second";
  /** The meaning of a 429 without an end. `lost`: inconclusive, whatever its headers say. */
  bare429: "later" | "tomorrow" | "lost";
  /** When credentials expire and must be renewed, seconds. @default never */
  tokenSeconds?: number;
  /** How a thread goes out. Absent: no threads. */
  thread?: "part by part" | "in one request";
  /** How an image or a video is uploaded. Absent: no upload. */
  upload?: RepeatedRequest;
}

/**
 * The part of a 2xx that confirms. `body`: its content · `any body`: that it is complete · `head`:
 * its content · `status`: the status alone.
 */
export type Yes = "body" | "any body" | "head" | "status";

/** A request that makes nothing public, so that it may be repeated. */
export interface RepeatedRequest {
  /** True: it holds the file, false: the file's URL. */
  holdsFile: boolean;
  yes: Yes;
  /** False: only after a pause. @default true */
  isRepeatedAtOnce?: boolean;
}

type Accounts = Readonly<Record<string, AccountRules>>;

/** The facts from which the tables of a network follow. */
export interface NetworkOutcomes {
  /** All accounts of the scene, except those on small servers, by name. */
  accounts: Accounts;
  /** The accounts whose posts have a title. */
  titled?: Accounts;
  /** The settings that are sent once the post is live. */
  confirm?: {
    /** The network's own options that ask for it. */
    options: Readonly<Record<string, string | boolean>>;
    request: RepeatedRequest;
    /** @default all */
    accounts?: Accounts;
  };
  /** The cells that do not follow from the rules. */
  exceptions?: readonly Exception[];
}

/** Cells that differ from the rules. */
export interface Exception {
  because: string;
  table: TableName;
  /** @default all */
  accounts?: readonly string[];
  /** By row; null: the cell does not apply. */
  cells: Readonly<Record<string, string | null>>;
}

/** The kinds of outcome of the publishing request. */
export type CommitTable =
  | "notSent"
  | "lost"
  | "unreadable"
  | "redirects"
  | "serverErrors"
  | "undecided"
  | "knownWords"
  | "limited"
  | "refused"
  | "severalTroubles";

export type TableName = CommitTable | FurtherTable;

export type FurtherTable =
  /** With an image, for which a network may need longer. */
  | "withPicture"
  | "withTitle"
  /**
   * A thread of three. In one request: like a post; a look that finds it reads each part. Part by
   * part: the second of three, and sent and looked count all three.
   */
  | "inThread"
  /** The upload of an image. The numbers: uploads · requests sent · seconds · posts live. */
  | "stage"
  /**
   * The settings sent once the post is live. The numbers: requests sent · requests that confirm ·
   * seconds · posts live.
   */
  | "confirm"
  /** The response was lost, the post is live, and the look for it fails. */
  | "locateDone"
  /** The response was lost, the post is not live, and the look for it fails. */
  | "locateNotDone"
  /** The response was lost, and reads show the post this much later. */
  | "shownLate"
  /**
   * The response was lost, reads show the post this much later, and the repeated request is lost
   * before it arrives.
   */
  | "shownAfterAnother";
