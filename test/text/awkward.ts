import fc from "fast-check";

/** The seed of all random tests about text; a failure prints it. Set another with POSTRIDER_SEED=… */
export const seed: number = Number(process.env.POSTRIDER_SEED ?? 20_261_121);

/** Tokens that have caused errors in text libraries. */
const awkwardTokens: readonly string[] = [
  ..."aZ1._-/?#@＠＃()[]{}<>,!:;=&%'\"~+$*|…“”’。、！？「」",
  ..." \n\t\u00a0\u3000\u200b\u200c\u200d\u2028\u200e\u202a\u2069\ufe0f\u00ad\u2060\u20e3",
  ...["\r\n", "\n\n", ". ", "! ", "e.g. ", "word ", "Sentence. ", "A longer word here "],
  ...[
    "http://",
    "https://",
    "HTTP://",
    "example.com",
    "foo.co.jp",
    "bit.ly/x",
    "t.co/abc",
    "localhost",
    ":80",
    "com",
    "みんな",
  ],
  ...[
    "https://example.com/a_(b)?c=d#e",
    "https://example.com/あ。い",
    "https://user:pass@example.com/",
    "me@example.com",
    "xn--ls8h",
    "http.cat",
  ],
  ...["@alice.bsky.social", "@user@host.example", "@user", "@a.test", "#tag", "＃全角", "#1", "#️⃣", "$AAPL", "##"],
  ...[
    "é",
    "e\u0301",
    "Í",
    "ß",
    "日本",
    "語。",
    "한국",
    "ไทย",
    "नमस्ते",
    "العربية",
    "עברית",
    "ы",
    "\u0600",
    "\u1100",
    "\u1161",
  ],
  ...["😀", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "🇽", "1️⃣", "❤️", "☺", "⚡️", "🏳️‍🌈", "©", "\ud83d", "\ude00", "𝒳"],
];

/** Texts of those tokens, some with long words and paragraphs. */
export function awkwardText(maxTokens: number): fc.Arbitrary<string> {
  const token = fc.constantFrom(...awkwardTokens);
  const repeated = fc.tuple(token, fc.integer({ min: 2, max: 12 })).map(([value, times]) => value.repeat(times));
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: token }, { weight: 1, arbitrary: repeated }), { maxLength: maxTokens })
    .map((tokens) => tokens.join(""));
}
