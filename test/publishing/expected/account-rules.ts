/** How an account answers and is asked, as literals. What follows from them is in the files beside this one. */
export interface AccountRules {
  /** The request that publishes is over after this, whatever happened, seconds. */
  hardEndSeconds: number;
  /** For how long after its hard end the network may still carry it out, seconds. 0: one look decides, at once. */
  settleSeconds: number;
  /** The same with a picture, where that is tried and a text alone is, too. */
  settleWithPictureSeconds?: number;
  /** From one look that finds nothing to the next, seconds. Absent: one look decides. */
  betweenLooksSeconds?: number;
  /** A look that tells nothing is tried again until this long after the hard end, seconds. Absent: no look that is tried comes to that. */
  capSeconds?: number;
  /** When a post with a picture is first sent, seconds: it is put off once before. @default 0 */
  firstWithPictureSeconds?: number;
  /**
   * What a post whose answer is lost is looked for by.
   * `list`: what the account shows · `upload`: what became of its film ·
   * `container`: what became of it, which the network tells before it shows it; it takes each once ·
   * `key`: what stands under its key, which the network takes once, for ever · `nothing`: nobody can tell.
   */
  foundBy: "list" | "upload" | "container" | "key" | "nothing";
  /** How many requests a look makes that finds it. @default 1 */
  requestsToFind?: number;
  /** For how long the network knows a request by its key and drops a repetition, seconds. @default it does not */
  replaySeconds?: number;
  /** A request that is carried out when all waits are over makes no second post. @default true by `container` and `key`, else false */
  isTakenOnce?: boolean;
  /** What of a 2xx says that it is published. @default "body" */
  yes?: Yes;
  /** What a 401 means in words that no row of the error table knows, and on a page. */
  on401: { words: "renew" | "reconnect" | "rejected"; page: "renew" | "reconnect" | "lost" };
  /** How the network says until when it takes nothing. */
  limitTold: "for how long" | "until when" | "until which second";
  /** What a 429 means that does not say it. `lost`: nothing for certain, whatever its headers say. */
  bare429: "later" | "tomorrow" | "lost";
  /** Credentials end after this and must be renewed, seconds. @default they last */
  tokenSeconds?: number;
  /** How a thread goes out. Absent: there are none. */
  thread?: "part by part" | "in one request";
  /** How a picture, or a film, is uploaded. Absent: it is not. */
  upload?: RepeatedRequest;
}

/** What of a 2xx is a yes. `body`: what stands there · `any body`: that it comes whole · `head`: what stands there · `status`: that alone. */
export type Yes = "body" | "any body" | "head" | "status";

/** A request that makes nothing public, so that it may be made again. */
export interface RepeatedRequest {
  /** It holds the file itself, and not where it is. */
  holdsFile: boolean;
  yes: Yes;
  /** False: only after a pause. @default true */
  isRepeatedAtOnce?: boolean;
}

type Accounts = Readonly<Record<string, AccountRules>>;

/** What the tables of a network follow from. */
export interface NetworkOutcomes {
  /** All accounts of the scene that are not on servers of their own, by name. */
  accounts: Accounts;
  /** On which a post has a title. */
  titled?: Accounts;
  /** What is set once the post is there. */
  confirm?: {
    /** The network's own keys that ask for it. */
    options: Readonly<Record<string, string | boolean>>;
    request: RepeatedRequest;
    /** @default all */
    accounts?: Accounts;
  };
  /** What does not follow. */
  exceptions?: readonly Exception[];
}

/** Cells that the rules do not give. */
export interface Exception {
  because: string;
  table: TableName;
  /** @default all */
  accounts?: readonly string[];
  /** By row; null: the cell does not apply. */
  cells: Readonly<Record<string, string | null>>;
}

/** What can come back from the request that publishes. */
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
  /** With a picture, for which a network may need longer. */
  | "withPicture"
  | "withTitle"
  /** A thread of three. In one request: as a post; a look that finds it reads each part. Part by part: the second of three, and sent and looked count all three. */
  | "inThread"
  /** The upload of a picture. The numbers: uploads · requests sent · seconds · posts there. */
  | "stage"
  /** What is set once the post is there. The numbers: requests sent · requests that confirm · seconds · posts there. */
  | "confirm"
  /** The answer was lost, the post is there, and the look for it fails. */
  | "locateDone"
  /** The answer was lost, the post is not there, and the look for it fails. */
  | "locateNotDone"
  /** The answer was lost, and reads show the post this much later. */
  | "shownLate"
  /** The answer was lost, reads show the post this much later, and the request that was then made again is lost before it arrives. */
  | "shownAfterAnother";
