import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** Facebook may accept a post until 30 s after the request's end, a minute in all; two looks without the post are 2 min apart. */
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
