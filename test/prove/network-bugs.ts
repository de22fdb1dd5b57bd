import type { PlantedBug } from "./bugs.ts";

/** Mistakes in what is a network's own, which the deaths of `crash` show late or not at all. */
export const networkBugs: readonly PlantedBug[] = [
  {
    name: "x: the used refresh token stored over the rotated one",
    hunter: "network-hunt.ts",
    changes: [
      {
        file: "src/networks/shared/renew-tokens.ts",
        from: "refresh_token: refresh_token ?? refreshToken",
        to: "refresh_token: refreshToken ?? refresh_token",
      },
    ],
  },
  {
    name: "x: a duplicate taken for a refusal",
    hunter: "network-hunt.ts",
    changes: [{ file: "src/networks/x/errors.ts", from: '    effect: "duplicate",\n', to: '    effect: "none",\n' }],
  },
  {
    name: "x: ids read as numbers",
    hunter: "network-hunt.ts",
    changes: [
      {
        file: "src/networks/x/publish.ts",
        from: "    const { id } = parsed.data.data;\n",
        to: "    const id = String(Number(parsed.data.data.id));\n",
      },
    ],
  },
  {
    name: "linkedin: a duplicate taken for a refusal",
    hunter: "network-hunt.ts",
    changes: [
      { file: "src/networks/linkedin/errors.ts", from: '    effect: "duplicate",\n', to: '    effect: "none",\n' },
    ],
  },
  {
    name: "youtube: a video whose last byte was taken is taken for published",
    hunter: "network-hunt.ts",
    changes: [
      {
        file: "src/networks/youtube/publish.ts",
        from: "{ job: { video_id: videoId } }",
        to: "{ live: { id: videoId, url: null, ref: null } }",
      },
    ],
  },
  {
    name: "mastodon: a reply's absence is trusted from a list that shows only posts",
    hunter: "network-hunt.ts",
    changes: [
      {
        file: "src/networks/mastodon/such.ts",
        from: 'place: previous === null ? "post" : replies,',
        to: 'place: previous === null || replies !== "post" ? "post" : replies,',
      },
    ],
  },
  {
    name: "webhooks: a public key that was read is never read again",
    hunter: "network-hunt.ts",
    changes: [
      {
        file: "src/inbox/hook-public-key.ts",
        from: "      await renew(adapter, signed, known);",
        to: "      if (before === null) await renew(adapter, signed, known);",
      },
    ],
  },
  {
    name: "webhooks: the new secret of a subscription drops the former one",
    hunter: "network-hunt.ts",
    changes: [{ file: "src/inbox/hook-subscription.ts", from: "const maxSecrets = 2;", to: "const maxSecrets = 1;" }],
  },
  {
    name: "a budget that is counted after the request",
    hunter: "network-hunt.ts",
    changes: [
      {
        file: "src/inbox/list-budgets.ts",
        from: "      const used = await addToAll(units);\n",
        to: "      const used = await addToAll(0);\n",
      },
      { file: "src/inbox/list-budgets.ts", from: "      let left = units;\n", to: "      let left = 0;\n" },
      {
        file: "src/inbox/reader.ts",
        from: `        await beforeRequest();
        return keepWhile(lease, ports.session.clock, exchange);
`,
        to: `        const answer = await keepWhile(lease, ports.session.clock, exchange);
        await beforeRequest();
        return answer;
`,
      },
    ],
  },
];
