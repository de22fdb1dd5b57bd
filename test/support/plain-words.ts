/** A phrase that readers stop at, and what to write in its place. */
export interface PlainWord {
  stands: RegExp;
  say: string;
}

/** Phrases that are never right, wherever users read. */
const plainWords: readonly PlainWord[] = [
  { stands: /\bwork(?:s|ed|ing)? off\b/i, say: "processes due work" },
  { stands: /\bREST surface\b/i, say: "REST API" },
  { stands: /\bgive a text\b/i, say: "must be a string" },
  { stands: /\bcannot work with what it was given\b/i, say: "invalid options" },
  { stands: /\bnobody is sent to\b/i, say: "the origin is not among the trusted ones" },
  { stands: /\bname has no address\b/i, say: "hostname did not resolve" },
  { stands: /\btakes? (?:cancel|update|retry)\b/i, say: "can be cancelled, updated, retried" },
  { stands: /\bthis path answers\b/i, say: "method not allowed; use GET or HEAD" },
  { stands: /\bthrow-?away key\b/i, say: "temporary key, lost when the process exits" },
  { stands: /\bprocess runs nothing\b/i, say: "no worker is running in this process" },
  { stands: /\bmust be known beforehand\b/i, say: "no extra fields" },
  { stands: /\bmade once and kept\b/i, say: "generate it once and store it as a secret" },
  { stands: /\b(?:be|been|being|is|are|was|were) told of\b/i, say: "get notified of" },
  { stands: /\bhand(?:s|ed|ing)? out keys\b/i, say: "issue keys" },
  { stands: /\btakes? pictures\b/i, say: "accept uploads" },
  { stands: /\bcertainly absent\b/i, say: "known not to exist" },
  { stands: /\bbegins at our door\b/i, say: "the guarantee starts at `create`" },
  { stands: /\bis no answer\b/i, say: "is inconclusive" },
  { stands: /\bnothing is to await\b/i, say: "do not await" },
  { stands: /\bfor the inbox, too\b/i, say: "enable the inbox scope" },
  { stands: /\bconnected again\b/i, say: "reconnected" },
  { stands: /\banswers? in (?:his|her|its|their|your) names?\b/i, say: "replies on their behalf" },
  { stands: /\bfour fifths\b/i, say: "80 % of the rate limit" },
  { stands: /^#+ To (?:forget|keep up)$/im, say: "Erasing data, Following changes" },
  { stands: /\bwaits? for somebody else\b/i, say: "are isolated from each other" },
  { stands: /\bdisabled, not forgotten\b/i, say: "automatic disabling" },
  { stands: /\bkey that opens nothing\b/i, say: "wrong encryption key" },
  { stands: /\b(?:be|is|are) waited out\b/i, say: "is retried for up to …" },
  { stands: /\bturns? out not to know\b/i, say: "PgBouncer rejects named prepared statements" },
  { stands: /\bnothing runs for long\b/i, say: "on serverless platforms" },
  { stands: /\blogins? of (?:your|its|their|the host's) own\b/i, say: "custom authentication" },
  { stands: /\blogin goes by\b/i, say: "any ambient credential" },
  { stands: /\bis your own say\b/i, say: "a callback that decides" },
  { stands: /\bmade to fit\b/i, say: "converted automatically" },
  { stands: /\btak(?:e|es|ing) (?:\w+ )?logins? back\b/i, say: "revoke access" },
  { stands: /\b(?:be|is|are|was|were) taken for\b/i, say: "counts as, is treated as" },
  { stands: /\bconnect(?:s|ed|ing)? (?:\w+ ){1,3}again\b/i, say: "reconnect" },
  { stands: /\b(?:an?|each|its|no|of|the) films?\b/i, say: "video" },
  { stands: /\bgive a (?:list|function|whole number)\b/i, say: "must be a list, a function, a whole number" },
  { stands: /\bhad a (?:failure|problem) of its own\b/i, say: "had an internal error" },
  { stands: /\blogins? in (?:a|the) browser\b/i, say: "browser sign-in" },
  { stands: /\b(?:did|does) not take (?:it|the|this|what)\b/i, say: "rejected, rejects" },
  { stands: /, or not any more\b/i, say: "no longer, may have expired" },
];

/** Each such phrase in a text, with what to write in its place. */
export function wordsToReplace(text: string): string[] {
  return plainWords.flatMap(({ stands, say }) =>
    [...text.matchAll(new RegExp(stands, `${stands.flags}g`))].map(([phrase]) => `${phrase} → ${say}`),
  );
}
