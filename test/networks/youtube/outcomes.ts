import type { AccountRules, NetworkOutcomes } from "../../publishing/expected/account-rules.ts";

/** YouTube may accept a video until five minutes after its last chunk timed out. After a finished upload, the service reads the video's status, too. */
const channel: AccountRules = {
  hardEndSeconds: 120,
  settleSeconds: 300,
  betweenLooksSeconds: 60,
  capSeconds: 3_600,
  foundBy: "upload",
  requestsToFind: 2,
  on401: { words: "renew", page: "renew" },
  limitTold: "for how long",
  bare429: "later",
  tokenSeconds: 3_600,
  upload: { holdsFile: false, yes: "head" },
};

export const outcomes: NetworkOutcomes = {
  accounts: { youtube: channel, "youtube that forgets uploads": channel },
  confirm: {
    options: { thumbnail: "https://media.sandbox.example/thumbnail.jpg" },
    request: { holdsFile: true, yes: "any body", isRepeatedAtOnce: false },
  },
  exceptions: [
    {
      because: "YouTube does not know the upload any more, and did not take the video: it is uploaded anew, at once.",
      table: "refused",
      cells: { "404 a page": "published 2 1 5 1", "404 in other words": "published 2 1 5 1" },
    },
    {
      because:
        "An upload that YouTube has forgotten may be finished: the channel's list is read, which shows the video.",
      table: "locateDone",
      cells: { "404 in other words": "published 1 2 425 1" },
    },
  ],
};
