import { expect, it } from "vitest";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import { manualClock } from "../../../src/testing/clock.ts";

const windowMs = 300_000;

it("the simulated Mastodon accepts as many requests as it announces, with each token, in each window", async () => {
  const clock = manualClock();
  await clock.advance(windowMs - (clock.now() % windowMs));
  const { http, mastodon } = createSandbox({ clock });
  const [alice, bob] = ["alice", "bob"].map((username) => mastodon.addAccount({ username }).access_token);
  const ask = async (token = "") => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, headers: told } = await http(
      "https://mastodon.sandbox.example/api/v1/accounts/verify_credentials",
      { headers },
    );
    return [status, told.get("x-ratelimit-remaining"), Date.parse(told.get("x-ratelimit-reset") ?? "") - clock.now()];
  };
  mastodon.limitRequests(2);
  expect(await ask(alice)).toEqual([200, "1", windowMs]);
  await clock.advance(1_000);
  expect(await ask(alice)).toEqual([200, "0", windowMs - 1_000]);
  expect(await ask(alice)).toEqual([429, "0", windowMs - 1_000]);
  expect(await ask(bob)).toEqual([200, "1", windowMs - 1_000]);
  await clock.advance(windowMs - 1_000);
  expect(await ask(alice)).toEqual([200, "1", windowMs]);
  mastodon.limitRequests(null);
  for (let count = 0; count < 5; count++) expect((await ask(alice))[0]).toBe(200);
});
