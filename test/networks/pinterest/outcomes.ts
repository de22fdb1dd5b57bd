import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** Looks read the board 2 min after the request may have ended; two looks without the Pin are a minute apart. */
const account: AccountRules = {
  hardEndSeconds: 60,
  settleSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "list",
  on401: { words: "rejected", page: "lost" },
  limitTold: "for how long",
  bare429: "later",
};

export const outcomes: NetworkOutcomes = { accounts: { pinterest: account } };
