import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** A bot repeats the request under its nonce, immediately and then every 5 s for 100 s. */
const bot: AccountRules = {
  hardEndSeconds: 15,
  settleSeconds: 30,
  settleWithPictureSeconds: 120,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "list",
  replaySeconds: 100,
  on401: { words: "reconnect", page: "lost" },
  limitTold: "for how long",
  bare429: "later",
};

/** A forum has no nonce, so the service looks for the post. */
const forum: AccountRules = {
  hardEndSeconds: 60,
  settleSeconds: 30,
  betweenLooksSeconds: 60,
  foundBy: "list",
  on401: { words: "reconnect", page: "lost" },
  limitTold: "for how long",
  bare429: "later",
};

/** A webhook's message cannot be looked for. */
const webhook: AccountRules = {
  hardEndSeconds: 60,
  settleSeconds: 0,
  settleWithPictureSeconds: 0,
  foundBy: "nothing",
  on401: { words: "reconnect", page: "lost" },
  limitTold: "for how long",
  bare429: "later",
};

export const outcomes: NetworkOutcomes = {
  accounts: { "discord bot": bot, "discord webhook": webhook },
  titled: { "discord forum": forum },
  confirm: {
    options: { crosspost: true },
    request: { holdsFile: false, yes: "any body" },
    accounts: { "discord announcement": bot },
  },
};
