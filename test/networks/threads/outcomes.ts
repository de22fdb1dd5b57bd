import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** The container's status is read 30 s after the request may have ended, 2 min later with a file; two looks that say "not published" are a minute apart. */
const account: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 30,
  settleWithPictureSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "container",
  on401: { words: "rejected", page: "lost" },
  limitTold: "for how long",
  bare429: "lost",
  thread: "part by part",
  upload: { holdsFile: false, yes: "body" },
};

export const outcomes: NetworkOutcomes = { accounts: { threads: account } };
