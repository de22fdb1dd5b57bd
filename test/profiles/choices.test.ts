import { describe, expect, it } from "vitest";
import type { OptionChoices } from "../../src/networks/contract/choices.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { createRest, fieldsOf, type Rest } from "../http/rest.ts";
import { connectMastodon } from "../support/connect.ts";

/** Mastodon with an option that names one of the account's lists. */
async function world(choices: OptionChoices): Promise<{ rest: Rest; path: string; id: string }> {
  const rest = await createRest({ networks: [{ ...mastodon(), choices }] });
  const { id } = await connectMastodon(rest);
  return { rest, id, path: `/v1/profiles/${id}/choices` };
}

const lists: OptionChoices = {
  async list_id({ request, profile }) {
    await request({ method: "GET", url: `https://${profile.host}/api/v1/accounts/verify_credentials` });
    return [
      { value: "12345678901234567890", name: "Friends" },
      { value: "two words", name: "cannot be sent back" },
      { value: "7", name: " \u0000<b>Tour\n2026</b> " },
    ];
  },
};

describe("values of an option that only the account knows", () => {
  it("are requested from the network with the account's credentials", async () => {
    const { rest, path } = await world(lists);
    const answer = await rest.send("GET", `${path}/list_id`);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      [
        { value: "12345678901234567890", name: "Friends" },
        { value: "7", name: "<b>Tour 2026</b>" },
      ],
    ]);
  });

  it("are searched by name where the network only lists them", async () => {
    const { rest, path } = await world(lists);
    const found = async (query: string) => (await rest.send("GET", `${path}/list_id?query=${query}`)).body.data;
    expect(await found("FRI")).toEqual([{ value: "12345678901234567890", name: "Friends" }]);
    expect(await found("7")).toMatchObject([{ value: "12345678901234567890" }, { value: "7" }]);
    expect(await found("tour%202026")).toEqual([{ value: "7", name: "<b>Tour 2026</b>" }]);
    expect(await found("enemies")).toEqual([]);
  });

  it("are searched by the network where it has a search", async () => {
    const asked: unknown[] = [];
    const { rest, path } = await world({
      "sound.id": {
        search: async (_, words) => {
          asked.push(words);
          return [{ value: "1", name: "What it takes for it" }];
        },
      },
    });
    const answer = await rest.send("GET", `${path}/sound.id?query=%20quiet%20`);
    expect(answer.body.data).toEqual([{ value: "1", name: "What it takes for it" }]);
    await rest.send("GET", `${path}/sound.id`);
    expect(asked).toEqual(["quiet", null]);
  });

  it.each([
    ["query=", "query"],
    [`query=${"x".repeat(201)}`, "query"],
    ["find=x", "find"],
  ])("are not requested with %s: the error names it", async (search, field) => {
    const { rest, path } = await world(lists);
    const answer = await rest.send("GET", `${path}/list_id?${search}`);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it("are named in the network's own description", async () => {
    const { rest } = await world(lists);
    expect(rest.social.networks.list()[0]?.choices).toEqual(["list_id"]);
  });

  it.each([["visibility"], ["constructor"], ["%3Cscript%3E"]])(
    "do not exist for %s: the error names the options that have some",
    async (option) => {
      const { rest, path } = await world(lists);
      const answer = await rest.send("GET", `${path}/${option}`);
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["option"]]);
      expect(answer.body.error?.message).toContain("list_id");
    },
  );

  it("are unavailable while the network is away, and for a disconnected profile", async () => {
    const { rest, path, id } = await world(lists);
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 503 }, times: 9 });
    const away = await rest.send("GET", `${path}/list_id`);
    expect([away.status, away.body.error?.code]).toEqual([422, "publish_failed"]);
    rest.sandbox.mastodon.faults.clear();
    await rest.send("DELETE", `/v1/profiles/${id}`);
    expect((await rest.send("GET", `${path}/list_id`)).status).toBe(409);
  });
});
