import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** No request is repeated before a look. A post with a file may take 2 min to appear. */
const account: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 30,
  settleWithPictureSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "list",
  on401: { words: "renew", page: "renew" },
  limitTold: "until which second",
  bare429: "later",
  tokenSeconds: 7_200,
  thread: "part by part",
  upload: { holdsFile: true, yes: "any body" },
};

export const outcomes: NetworkOutcomes = {
  accounts: { x: account, "x that forgets texts": account },
  exceptions: [
    {
      because: "X's 400 says that it cannot read the file.",
      table: "stage",
      cells: { "400 in other words": "media_error 1 0 0 0" },
    },
  ],
};
