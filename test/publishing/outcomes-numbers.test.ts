import { describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { CommitRules } from "../../src/networks/contract/publish.ts";
import { scenes, withNeeds } from "../networks/scenes.ts";
import { crashNetwork } from "../support/crash-networks.ts";
import { createTestService, testNetworks } from "../support/service.ts";
import type { AccountRules } from "./expected/account-rules.ts";

describe.each(scenes)("the outcomes of $network", (scene) => {
  const { accounts, furtherAccounts = [], network } = scene;
  const { accounts: plain, titled = {} } = scene.outcomes;
  const kinds = accounts.filter(({ addServer }) => addServer === undefined);

  it("cover each of its accounts", () => {
    expect(Object.keys(plain).sort()).toEqual(kinds.map(({ name }) => name).sort());
  });

  const rules = { ...plain, ...titled };
  const known = [...kinds, ...furtherAccounts].filter(({ name }) => name in rules);

  it.each(known)("follow from the adapter's own numbers, for $name", async (kind) => {
    const used: Used[] = [];
    const networks = testNetworks().map((adapter) => noting(adapter, used));
    const { social, sandbox, clock } = createTestService({ networks });
    await clock.run(async () => {
      const { id } = await social.profiles.connect(crashNetwork(scene, kind).connect(sandbox));
      const post = { profile_ids: [id], text: "Once.", networks: withNeeds([network], sandbox) };
      return social.posts.create(kind.name in titled ? { ...post, title: "Once" } : post);
    });
    expect(used[0]).toMatchObject(numbersOf(rules[kind.name]));
  });
});

/** The numbers of the adapter's commit rules from which the tables follow. */
interface Used extends Pick<CommitRules, "hardEndSeconds" | "betweenLooksSeconds" | "pendingCapSeconds" | "isKeyed"> {
  settleSeconds: number;
  settleWithPictureSeconds: number;
  replaySeconds: number;
}

/** The adapter; records the rules of each part. */
function noting(adapter: NetworkAdapter, used: Used[]): NetworkAdapter {
  const { publish } = adapter;
  if (publish === undefined) return adapter;
  const rules: typeof publish.rules = (profile, part) => {
    const found = publish.rules(profile, part);
    const [kind = "text"] = part.media.map(({ mime_type }) => (mime_type.startsWith("video/") ? "video" : "image"));
    const { [kind]: settleSeconds, image: settleWithPictureSeconds } = found.settleSeconds;
    used.push({ ...found, settleSeconds, settleWithPictureSeconds });
    return found;
  };
  return { ...adapter, publish: { ...publish, rules } };
}

/** All numbers that are given. */
function numbersOf(rules: AccountRules | undefined): Partial<Used> {
  if (rules === undefined) return {};
  const { hardEndSeconds, settleSeconds, replaySeconds = 0, foundBy } = rules;
  const { settleWithPictureSeconds, betweenLooksSeconds, capSeconds } = rules;
  return {
    hardEndSeconds,
    settleSeconds,
    replaySeconds,
    isKeyed: foundBy === "key",
    ...(settleWithPictureSeconds === undefined ? {} : { settleWithPictureSeconds }),
    ...(betweenLooksSeconds === undefined ? {} : { betweenLooksSeconds }),
    ...(capSeconds === undefined ? {} : { pendingCapSeconds: capSeconds }),
  };
}
