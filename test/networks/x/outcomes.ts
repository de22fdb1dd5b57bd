import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** Nothing is repeated before it was looked for. With a file, a post may take 2 min to show. */
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
