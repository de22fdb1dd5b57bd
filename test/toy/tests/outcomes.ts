import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** A post is looked for by its key before it is sent again, and the network takes each key once. */
const account: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 30,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "list",
  isTakenOnce: true,
  on401: { words: "reconnect", page: "reconnect" },
  limitTold: "for how long",
  bare429: "later",
};

export const outcomes: NetworkOutcomes = {
  accounts: { toy: account },
  exceptions: [
    {
      because: "Under a key that Toy does not know it answers 404: a first empty look, and no refusal.",
      table: "locateDone",
      cells: { "404 in other words": "published 1 2 125 1" },
    },
  ],
};
