import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/ports/clock.ts";
import { freePort } from "../support/free-port.ts";

const program = "redis-server";

/** A Redis server for one test file, which stores nothing on the disk. */
export interface RedisServer {
  port: number;
  /** Like `kill -9`: all data is lost. */
  kill(): Promise<void>;
  /** After a kill. Resolves when connections are accepted. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** @returns the reason when it cannot run here, which is printed as well */
export async function startRedis(): Promise<RedisServer | string> {
  if (spawnSync(program, ["--version"]).error !== undefined) {
    const reason = `There is no ${program} on this machine (apt-get install ${program}): BullMQ is not tested.`;
    console.warn(reason);
    return reason;
  }
  const folder = mkdtempSync(join(tmpdir(), "postrider-redis-"));
  const port = await freePort();
  let server: ChildProcess | null = null;

  async function kill(): Promise<void> {
    if (server === null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    server = null;
    await ended;
  }

  async function start(): Promise<void> {
    const flags = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
    server = spawn(program, flags, { stdio: "ignore" });
    while (!(await accepts(port))) await systemClock.sleep(20);
  }

  await start();
  return {
    port,
    kill,
    start,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
