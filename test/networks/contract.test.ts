import { bluesky } from "../../src/networks/bluesky/index.ts";
import { discord } from "../../src/networks/discord/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { networkContract } from "../../src/testing/network.ts";
import { networkScene } from "../support/network-context.ts";
import * as onBluesky from "./bluesky/bench.ts";
import * as onDiscord from "./discord/bench.ts";
import * as onMastodon from "./mastodon/bench.ts";

networkContract({
  adapter: bluesky(),
  cases: [
    {
      name: "a text",
      create: () => {
        const bench = onBluesky.blueskyBench();
        const part = onBluesky.part({ options: { replies: "nobody" } });
        return networkScene(bench, { credentials: onBluesky.credentials(), part });
      },
    },
    {
      name: "four pictures",
      create: () => {
        const bench = onBluesky.blueskyBench();
        const part = onBluesky.part({ media: onBluesky.pictures(bench, 4) });
        return networkScene(bench, { credentials: onBluesky.credentials(), part });
      },
    },
    {
      name: "a video",
      create: () => {
        const bench = onBluesky.blueskyBench();
        const part = onBluesky.part({ media: [onBluesky.video(bench)] });
        return networkScene(bench, { credentials: onBluesky.credentials(), part });
      },
    },
  ],
});

networkContract({
  adapter: mastodon(),
  cases: [
    {
      name: "a text",
      create: () => {
        const bench = onMastodon.mastodonBench();
        const part = onMastodon.part({ text: "Hello @bob@elsewhere.example\n\nhttps://example.com/a?b=1&c=2 #hi" });
        return networkScene(bench, { credentials: onMastodon.credentials(bench), part });
      },
    },
    {
      name: "four pictures",
      create: () => {
        const bench = onMastodon.mastodonBench();
        const part = onMastodon.part({ media: onMastodon.pictures(bench, 4) });
        return networkScene(bench, { credentials: onMastodon.credentials(bench), part });
      },
    },
    {
      name: "a video",
      create: () => {
        const bench = onMastodon.mastodonBench();
        const part = onMastodon.part({ text: "", media: [onMastodon.video(bench)] });
        return networkScene(bench, { credentials: onMastodon.credentials(bench), part });
      },
    },
  ],
});

networkContract({
  adapter: discord(),
  cases: [
    {
      name: "a bot's message",
      create: () => {
        const bench = onDiscord.discordBench();
        const { credentials } = onDiscord.botCredentials(bench);
        return networkScene(bench, { credentials, part: onDiscord.part() });
      },
    },
    {
      name: "a bot's message with three files",
      create: () => {
        const bench = onDiscord.discordBench();
        const { credentials } = onDiscord.botCredentials(bench);
        const part = onDiscord.part({ text: "", media: onDiscord.pictures(bench, 3) });
        return networkScene(bench, { credentials, part });
      },
    },
    {
      name: "an announcement that is sent on",
      create: () => {
        const bench = onDiscord.discordBench();
        const { credentials } = onDiscord.botCredentials(bench, "announcement");
        return networkScene(bench, { credentials, part: onDiscord.part({ options: { crosspost: true } }) });
      },
    },
    {
      name: "a forum post",
      create: () => {
        const bench = onDiscord.discordBench();
        const { credentials } = onDiscord.botCredentials(bench, "forum");
        return networkScene(bench, { credentials, part: onDiscord.part({ title: "Title" }) });
      },
    },
  ],
});
