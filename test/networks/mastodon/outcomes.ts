import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** No request is repeated before a look. A post with a file may take 2 min to appear. A page that shows a post may not be the last one. */
const account: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 30,
  settleWithPictureSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "list",
  requestsToFind: 2,
  on401: { words: "reconnect", page: "reconnect" },
  limitTold: "until when",
  bare429: "later",
  thread: "part by part",
  upload: { holdsFile: true, yes: "body" },
};

export const outcomes: NetworkOutcomes = {
  accounts: { mastodon: account, "mastodon look-alike that ignores keys": account },
  exceptions: [
    {
      because: "The page shows the first part, so that a look that does not find the second reads one page more, too.",
      table: "inThread",
      cells: {
        "reset, not done": "published 4 4 130 3",
        "no answer, not done": "published 4 4 130 3",
        "500, not done": "published 4 4 130 3",
        "reset, not done, for hours": "network_error 4 12 390 1",
      },
    },
  ],
};
