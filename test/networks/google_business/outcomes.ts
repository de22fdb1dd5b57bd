import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** Looks read the location's posts to the last page, 2 min after the request may have ended; two looks without the post are a minute apart. */
const location: AccountRules = {
  hardEndSeconds: 60,
  settleSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 86_400,
  foundBy: "list",
  on401: { words: "renew", page: "renew" },
  limitTold: "for how long",
  bare429: "later",
  tokenSeconds: 3_600,
};

const tooLong = "How a look fails for the whole day until it is given up takes too long to be tried.";

export const outcomes: NetworkOutcomes = {
  accounts: { google_business: location },
  exceptions: [
    {
      because: tooLong,
      table: "locateDone",
      cells: { "2xx a page, for hours": null, "503, not done, for hours": null },
    },
    { because: tooLong, table: "locateNotDone", cells: { "503, not done, for hours": null } },
  ],
};
