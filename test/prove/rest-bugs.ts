import type { Change } from "./bugs.ts";

/** Mistakes that somebody could make in the REST surface. */
export const restBugs: readonly { name: string; changes: readonly Change[] }[] = [
  {
    name: "a NUL in the query reaches the store",
    changes: [
      {
        file: "src/http/query.ts",
        from: "    if (unstorableText.test(name + text)) throw",
        to: "    if (name === text) throw",
      },
    ],
  },
  {
    name: "another account's post is readable",
    changes: [
      {
        file: "src/posts/posts.ts",
        from: "    if (post === null || post.account_id !== accountId) {",
        to: "    if (post === null) {",
      },
    ],
  },
  {
    name: "an answer has a field that the document does not know",
    changes: [
      {
        file: "src/publishing/read.ts",
        from: "const shown = pick(post, postFields);",
        to: 'const shown = pick(post, [...postFields, "version"]);',
      },
    ],
  },
  {
    name: "a refusal without details",
    changes: [
      {
        file: "src/http/answer.ts",
        from: "...(shown.length === 0 ? {} : { details: shown })",
        to: "...(shown.length >= 0 ? {} : { details: shown })",
      },
    ],
  },
  {
    name: "a key's scopes are not looked at",
    changes: [
      {
        file: "src/http/handler.ts",
        from: "  if (scopes.includes(route.scope)) return;",
        to: "  if (scopes.length > 0) return;",
      },
    ],
  },
  {
    name: "the header Idempotency-Key is ignored",
    changes: [
      {
        file: "src/http/idempotency-key.ts",
        from: '  const header = headers.get("idempotency-key");',
        to: '  const header = headers.get("idempotency-keys");',
      },
    ],
  },
];
