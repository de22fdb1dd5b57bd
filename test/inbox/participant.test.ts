import { beforeEach, describe, expect, it } from "vitest";
import { listedNetworks } from "../support/inbox-networks.ts";
import { type InboxBench, inboxBench } from "./bench.ts";

describe.each(listedNetworks)("conversations on $network", (network) => {
  let bench: InboxBench;

  /** The participants of the conversations that a filter finds. */
  const found = async (filter: object) => {
    const { data } = await bench.social.inbox.conversations.list(filter);
    return data.map(({ participant }) => participant.name);
  };

  beforeEach(async () => {
    bench = await inboxBench(network);
    const bo = bench.scene.person("Bo");
    await bench.writes({ text: `${network.name} do you ship?` });
    await bench.writes({ text: `${network.name} are you open?` }, bo.id);
    await bench.writes({ text: `${network.name} and to Norway?` });
  });

  const participantOf = async (name: string): Promise<string> => {
    const { data } = await bench.social.inbox.conversations.list();
    return data.find(({ participant }) => participant.name === name)?.participant.id ?? "";
  };

  it("are found by the person who started them, together with other filters", async () => {
    expect(await found({})).toEqual(["Ann", "Bo", "Ann"]);
    const participant_id = await participantOf("Ann");
    expect(await found({ participant_id })).toEqual(["Ann", "Ann"]);
    expect(await found({ participant_id, unread: false })).toEqual([]);
    expect(await found({ participant_id, profile_id: bench.profile.id, limit: 1 })).toEqual(["Ann"]);
    expect(await found({ participant_id: "nobody" })).toEqual([]);
    await expect(found({ participant_id: "" })).rejects.toMatchObject({ details: [{ field: "participant_id" }] });
  });

  it("are not found by a person who was erased", async () => {
    const participant_id = await participantOf("Ann");
    await bench.clock.run(() => bench.social.inbox.forget({ network: network.network, person_id: participant_id }));
    expect(await found({ participant_id })).toEqual([]);
    expect(await found({})).toHaveLength(3);
  });
});
