import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** TikTok may accept a video until five minutes after its last piece timed out. */
const account: AccountRules = {
  hardEndSeconds: 120,
  settleSeconds: 300,
  betweenLooksSeconds: 60,
  capSeconds: 21_600,
  foundBy: "upload",
  yes: "head",
  on401: { words: "renew", page: "renew" },
  limitTold: "for how long",
  bare429: "later",
  tokenSeconds: 7_200,
  upload: { holdsFile: false, yes: "body" },
};

export const outcomes: NetworkOutcomes = {
  accounts: { tiktok: account },
  exceptions: [
    {
      because:
        "What takes the pieces says little else than a status: 403 and 404 may come though the last one has arrived.",
      table: "refused",
      cells: { "403 in other words": "published 2 4 495 1", "404 in other words": "published 2 4 495 1" },
    },
    {
      because: "At first TikTok may not know a publication that it has.",
      table: "locateDone",
      cells: { "404 in other words": "published 1 2 455 1" },
    },
    {
      because: "An upload lasts an hour: a new one is begun, and not asked how far it is.",
      table: "locateNotDone",
      cells: { "429 until in 2 h": "published 2 5 7695 1" },
    },
  ],
};
