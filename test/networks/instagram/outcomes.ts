import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** The container's status is read 2 min after the request may have ended; two looks that say "not published" are a minute apart. */
const account: AccountRules = {
  hardEndSeconds: 60,
  settleSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "container",
  on401: { words: "rejected", page: "lost" },
  limitTold: "for how long",
  bare429: "lost",
  upload: { holdsFile: false, yes: "body" },
};

export const outcomes: NetworkOutcomes = {
  accounts: { "instagram login": account, "facebook login": account },
  confirm: { options: { comment_enabled: false }, request: { holdsFile: false, yes: "any body" } },
};
