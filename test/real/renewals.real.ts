import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/ports/clock.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { type ServedSandbox, serveSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService } from "../../src/service.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ArenaStore, createArenaStore, openArenaStore } from "../prove/arena-store.ts";
import { silentLogger } from "../support/logger.ts";
import { rotating } from "../support/rotating/adapter.ts";
import { type RotatingSandbox, rotatingSandbox } from "../support/rotating/sandbox.ts";
import { testKey } from "../support/service.ts";
import type { RenewerAnswer, RenewerOrder, RenewerWorld } from "./renewer.ts";

const processes = 4;
const rounds = 8;
const people = ["alice", "bob", "carol"];
/** How long a renewal takes at the network: long enough for all processes to want one, seconds. */
const renewalSeconds = 0.1;
const forHours = 100_000;

let place: ArenaStore;
let storage: Storage;
let served: ServedSandbox;
let children: ChildProcess[] = [];

async function start(world: RenewerWorld): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("renewer.ts", import.meta.url));
  const env = { ...process.env, POSTRIDER_RENEWER: JSON.stringify(world) };
  const child = fork(script, { env, execArgv: ["--import", "tsx"] });
  children.push(child);
  const [word] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (word !== "ready") throw new Error(`A process ended with ${word}.`);
  return child;
}

/** Distributes the orders, and resolves with the errors. */
async function obeyed(child: ChildProcess, orders: readonly RenewerOrder[]): Promise<string[]> {
  const ended = once(child, "exit").then(([code]) => [`The process ended with ${code}.`]);
  for (const order of orders) child.send(order);
  const answers: string[] = [];
  const answered = new Promise<string[]>((resolve) => {
    child.on("message", function take({ error }: RenewerAnswer) {
      answers.push(error ?? "");
      if (answers.length < orders.length) return;
      child.off("message", take);
      resolve(answers.filter((each) => each !== ""));
    });
  });
  return Promise.race([answered, ended]);
}

describe.each(["sqlite", "postgres"] as const)("refresh tokens that are valid for one use, on %s", (kind) => {
  let network: RotatingSandbox;

  beforeEach(async () => {
    children = [];
    network = rotatingSandbox({ clock: systemClock });
    place = await createArenaStore(kind);
    storage = openArenaStore({ store: place.place, time: { fastFrom: 0, speed: 1 } }, systemClock);
    served = await serveSandbox(createSandbox({ hosts: [network] }).http);
  });

  afterEach(async () => {
    const ends = children.map((child) => once(child, "exit"));
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(ends);
    await served.close();
    await storage.close();
    await place.remove();
  });

  it(`are renewed once by ${processes} processes that all need them`, { timeout: 240_000 }, async () => {
    const { http } = createSandbox({ hosts: [network] });
    const social = createSocialService({
      storage,
      networks: [rotating()],
      encryptionKey: testKey,
      http,
      untrustedHttp: http,
      logger: silentLogger,
    });
    const profiles: Profile[] = [];
    for (const name of people)
      profiles.push(await social.profiles.connect({ network: "rotating", credentials: { name } }));
    const all = await Promise.all(
      Array.from({ length: processes }, () => start({ store: place.place, sandboxUrl: served.url })),
    );
    network.faults.add({ kind: "slow", operation: "POST /token", seconds: renewalSeconds, times: forHours });
    for (let round = 1; round <= rounds; round++) {
      network.expireTokens();
      const wrong = all.map((child, index) =>
        obeyed(
          child,
          profiles.map(({ id }, person) => ({ profileId: id, what: (index + person) % 2 === 0 ? "check" : "post" })),
        ),
      );
      expect((await Promise.all(wrong)).flat()).toEqual([]);
      expect(network.usedTwice()).toEqual([]);
      expect(network.trades()).toHaveLength(round * people.length);
    }
    const { data } = await social.profiles.list();
    expect(data.map(({ status }) => status)).toEqual(people.map(() => "connected"));
    expect(network.notes()).toHaveLength((rounds * processes * people.length) / 2);
  });
});
