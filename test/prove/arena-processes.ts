import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { ArenaMachine, ArenaWorld } from "./arena-world.ts";
import type { PublisherMessage, PublisherOrder } from "./publisher.ts";
import type { Random } from "./random.ts";

/** The publishing processes of an arena: as many as wanted, whatever is killed. */
export interface ArenaProcesses {
  /** Resolves when all are at work. */
  ready(): Promise<void>;
  /** Sends the post to one of them, again until one has made it. */
  make(body: CreatePost): void;
  /** How many posts were sent and are not known to have been made. */
  unmade(): number;
  /** kill -9, by process id; another takes its place. False: there is no such process any more. */
  kill(pid: number): boolean;
  /** One that is at work; null: none is just now. */
  any(): number | null;
  /** Sets the clock of one machine, by its index. */
  jump(machine: number, byMs: number): void;
  /** @throws Error when a process has ended by itself, or a post cannot be made */
  check(): void;
  stop(): Promise<void>;
}

/** Posts that could not be made, in all, before something is wrong. */
const maxFailures = 50;

interface Publisher {
  machine: number;
  child: ChildProcess;
  isReady: boolean;
  /** By idempotency key. */
  sent: Map<string, CreatePost>;
}

export interface ArenaProcessOptions {
  /** One process runs on each. */
  machines: readonly ArenaMachine[];
  world: Omit<ArenaWorld, "offMs">;
  random: Random;
  /** One of them has said that it has made this post. */
  onMade(key: string): void;
}

export function startProcesses({ machines, world, random, onMade }: ArenaProcessOptions): ArenaProcesses {
  const script = fileURLToPath(new URL("publisher.ts", import.meta.url));
  const scriptIn = (checkout: string): string => join(checkout, "test/prove/publisher.ts");
  const offs = machines.map(({ offMs }) => offMs);
  const publishers = new Map<number, Publisher>();
  const waiting: CreatePost[] = [];
  let isStopping = false;
  let failure: Error | null = null;
  let failures = 0;
  let announceReady = (): void => {};

  function start(machine: number): void {
    const processWorld: ArenaWorld = { ...world, offMs: offs[machine] ?? 0 };
    const { zone = null, checkout } = machines[machine] ?? {};
    const env = {
      ...process.env,
      POSTRIDER_ARENA: JSON.stringify(processWorld),
      ...(zone === null ? {} : { TZ: zone }),
    };
    const child = fork(checkout === undefined ? script : scriptIn(checkout), { env, execArgv: ["--import", "tsx"] });
    const publisher: Publisher = { machine, child, isReady: false, sent: new Map() };
    const pid = child.pid ?? 0;
    publishers.set(pid, publisher);
    child.on("message", (message: PublisherMessage) => receive(publisher, message));
    child.once("exit", (code) => {
      publishers.delete(pid);
      waiting.push(...publisher.sent.values());
      if (code !== null && !isStopping) failure = new Error(`A publishing process ended by itself with ${code}.`);
      if (!isStopping && failure === null) start(machine);
      announceReady();
    });
  }

  function receive(publisher: Publisher, message: PublisherMessage): void {
    if ("ready" in message) publisher.isReady = true;
    else if ("made" in message) {
      publisher.sent.delete(message.made);
      onMade(message.made);
    } else repeat(publisher, message);
    handOut();
    announceReady();
  }

  /** A caller would try again: files are looked at by a clock that runs fast, on a machine that is busy. */
  function repeat({ sent }: Publisher, { failed, error }: Extract<PublisherMessage, { failed: string }>): void {
    const body = sent.get(failed);
    sent.delete(failed);
    failures += 1;
    if (body !== undefined) waiting.push(body);
    if (failures > maxFailures) failure = new Error(`${failed} could not be made: ${error}`);
  }

  function handOut(): void {
    const able = [...publishers.values()].filter(({ isReady }) => isReady);
    if (able.length === 0) return;
    for (const body of waiting.splice(0)) {
      const { child, sent } = random.of(able);
      sent.set(body.idempotency_key ?? "", body);
      tell(child, { make: body });
    }
  }

  function tell(child: ChildProcess, order: PublisherOrder): void {
    if (child.connected) child.send(order);
  }

  function check(): void {
    if (failure !== null) throw failure;
  }

  for (const machine of machines.keys()) start(machine);

  return {
    async ready() {
      while ([...publishers.values()].filter(({ isReady }) => isReady).length < machines.length) {
        check();
        await new Promise<void>((resolve) => {
          announceReady = resolve;
        });
      }
    },
    make(body) {
      waiting.push(body);
      handOut();
    },
    unmade() {
      check();
      return waiting.length + [...publishers.values()].reduce((sum, { sent }) => sum + sent.size, 0);
    },
    kill(pid) {
      const publisher = publishers.get(pid);
      if (publisher === undefined || !publisher.isReady) return false;
      publisher.isReady = false;
      return publisher.child.kill("SIGKILL");
    },
    any() {
      const able = [...publishers].filter(([, { isReady }]) => isReady);
      return able.length === 0 ? null : random.of(able)[0];
    },
    jump(machine, byMs) {
      offs[machine] = (offs[machine] ?? 0) + byMs;
      for (const publisher of publishers.values()) {
        if (publisher.machine === machine) tell(publisher.child, { jumpMs: byMs });
      }
    },
    check,
    async stop() {
      isStopping = true;
      const ends = [...publishers.values()].map(({ child }) => once(child, "exit"));
      for (const { child } of publishers.values()) child.kill("SIGKILL");
      await Promise.all(ends);
    },
  };
}
