import type { CreatePost } from "../../src/posts/schema.ts";

/**
 * Every outcome of a commit on one network, account kind by account kind: the
 * columns are the names of the scene's accounts.
 *
 * Rows say what came back (outcomes-faults.ts says it in full; "done": the
 * network acted all the same). A cell says how the post's target ended, and
 * four numbers:
 *
 *     published 2 1 5 1
 *               │ │ │ └ posts on the network in the end
 *               │ │ └── seconds until the target settled
 *               │ └──── requests that looked for the post (Mastodon reads one page more when it finds it)
 *               └────── how often the request was made
 *
 * `timeout` means that it may be live, `network_error` that it certainly is
 * not. An empty cell does not apply.
 */
export interface OutcomeTables extends CommitTables {
  /** With a picture, where a network needs longer to show it. */
  withPicture?: string;
  /** With a title. */
  withTitle?: string;
  /** A thread of three. One request: as a post; a look that finds it reads each part. Part by part: the second of three, and sent and looked count all three. */
  inThread?: string;
  /**
   * The upload of a picture, which nobody sees: repeated at once after 0.5 and 2 s, then with pauses, for half an hour; a 500, which may be the file's fault, only with pauses.
   * The numbers: uploads · requests sent · seconds · posts there.
   */
  stage?: string;
  /**
   * What is set once the post is there. It never fails the post.
   * The numbers: requests sent · requests that confirm · seconds · posts there.
   */
  confirm?: { options: NonNullable<CreatePost["networks"]>; table: string };
  /** The answer was lost, the post is there, and the look for it fails. One that is refused is no answer: it goes on after the remedy, for 72 h. */
  locateDone?: string;
  /** The answer was lost, the post is not there, and the look for it fails: nobody may say that it certainly is not. */
  locateNotDone?: string;
  /** The answer was lost, and reads show the post this much later. */
  shownLate?: string;
  /** The answer was lost, reads show the post this much later, and the request that was then made again is lost before it arrives. */
  shownAfterAnother?: string;
}

/** What follows from everything that can come back from the request that publishes. */
export interface CommitTables {
  /** It certainly never left: again after 5, 10, 20, 40, 40 … s, for half an hour. */
  notSent: string;
  /** The connection, or the answer, is lost. */
  lost: string;
  /** A success that cannot be read is no success yet. */
  unreadable: string;
  /** Nobody follows a redirect. */
  redirects: string;
  /** A server that is not well may have posted all the same. */
  serverErrors: string;
  /** Statuses that do not tell whether it was done, although the answer is the network's own. */
  undecided: string;
  /** The words of a listed refusal under a status that leaves it open, though the network acted. All rows of its table under all such statuses are in test/networks/refusals.test.ts. */
  knownWords: string;
  /** Refused for now: the network tells until when, or a proxy before it does. What it tells is believed once; an end that is later than the post is tried for fails it at once. */
  limited: string;
  /** Refused in words that no row of the network's table knows, or by something that stands before it. What the rows know is in test/networks/refusals.test.ts. */
  refused: string;
  /** The first answer is lost, and whatever is sent after it fails, too. */
  severalTroubles: string;
}
