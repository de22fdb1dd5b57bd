import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** What an organisation has posted is looked for. With a file, a post may take 2 min to show. */
const organisation: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 30,
  settleWithPictureSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "list",
  yes: "head",
  on401: { words: "renew", page: "renew" },
  limitTold: "for how long",
  bare429: "tomorrow",
  upload: { holdsFile: true, yes: "status" },
};

/** Of a member nobody can tell; nor whether a picture is ready, for which a round is waited. */
const member: AccountRules = {
  hardEndSeconds: 30,
  settleSeconds: 0,
  settleWithPictureSeconds: 0,
  firstWithPictureSeconds: 5,
  foundBy: "nothing",
  yes: "head",
  on401: { words: "renew", page: "renew" },
  limitTold: "for how long",
  bare429: "tomorrow",
};

export const outcomes: NetworkOutcomes = {
  accounts: { "linkedin organisation": organisation, "linkedin member": member },
};
