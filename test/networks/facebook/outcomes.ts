import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** Facebook may take a post for 30 s after the request is over, a minute; two looks that find nothing are 2 min apart. */
const page: AccountRules = {
  hardEndSeconds: 60,
  settleSeconds: 30,
  settleWithPictureSeconds: 120,
  betweenLooksSeconds: 120,
  capSeconds: 3_600,
  foundBy: "list",
  on401: { words: "rejected", page: "lost" },
  limitTold: "for how long",
  bare429: "lost",
  upload: { holdsFile: false, yes: "body" },
};

export const outcomes: NetworkOutcomes = {
  accounts: { facebook: page },
  confirm: { options: {}, request: { holdsFile: false, yes: "body" } },
};
