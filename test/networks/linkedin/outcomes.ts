import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** An organisation's posts are looked for. A post with a file may take 2 min to appear. */
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

/** A member's posts cannot be read, nor the status of an image, so the service waits one round for it. */
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
