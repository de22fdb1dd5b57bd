import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** The record key never changes, so a request may even take effect long after its deadline. */
const account: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 0,
  settleWithPictureSeconds: 0,
  capSeconds: 3_600,
  foundBy: "key",
  on401: { words: "rejected", page: "lost" },
  limitTold: "until which second",
  bare429: "later",
  thread: "in one request",
  upload: { holdsFile: true, yes: "body" },
};

const staleNonce = {
  because:
    "A login's proofs need a nonce that is minutes old at most: after a long wait the first request only brings a new one.",
  accounts: ["bluesky login"],
} as const;

export const outcomes: NetworkOutcomes = {
  accounts: { bluesky: account, "bluesky login": account },
  exceptions: [
    { ...staleNonce, table: "limited", cells: { "429 until in 20 min": "published 3 0 1201 1" } },
    {
      ...staleNonce,
      table: "stage",
      cells: {
        "no answer, not done": "published 3 1 300.5 1",
        "answer after 10 min": "published 3 1 300.5 1",
        "drips for 10 min": "published 3 1 300.5 1",
      },
    },
    {
      ...staleNonce,
      table: "locateNotDone",
      cells: { "401 in other words": "published 3 2 305 1", "403 in other words": "published 3 2 305 1" },
    },
    {
      because:
        "Only RecordNotFound says that nothing is there; another 404 is a server that does not show its posts now.",
      table: "locateDone",
      cells: { "404 in other words": "published 1 2 30 1" },
    },
  ],
};
