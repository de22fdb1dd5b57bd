import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/ports/clock.ts";
import { freePort } from "../support/free-port.ts";

const programs = [
  "swift-proxy-server",
  "swift-account-server",
  "swift-container-server",
  "swift-object-server",
  "memcached",
];

const ringBuilder = "swift-ring-builder";

/** A real server with S3's API that checks signatures: Debian's OpenStack Swift, on loopback, on a separate folder. */
export interface SwiftServer {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop(): Promise<void>;
}

const credentials = { region: "us-east-1", accessKeyId: "test:tester", secretAccessKey: "a-secret-for-tests" };

/** @returns the reason when it cannot run here, which is printed as well */
export async function startSwift(): Promise<SwiftServer | string> {
  const missing = programs.find((program) => spawnSync("which", [program]).status !== 0);
  if (missing !== undefined) {
    const reason = `There is no ${missing} on this machine (apt-get install swift-proxy swift-account swift-container swift-object memcached): S3 is not tested.`;
    console.warn(reason);
    return reason;
  }
  const folder = mkdtempSync(join(tmpdir(), "postrider-swift-"));
  const servers: { server: ChildProcess; port: number }[] = [];

  function run(program: string, flags: readonly string[], port: number): void {
    servers.push({ server: spawn(program, flags, { stdio: "ignore" }), port });
  }

  async function stop(): Promise<void> {
    const running = servers.filter(({ server }) => server.exitCode === null && server.signalCode === null);
    await Promise.all(
      running.map(async ({ server }) => {
        const ended = once(server, "exit");
        server.kill("SIGKILL");
        await ended;
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  }

  const ports = { memcached: await freePort(), proxy: await freePort() };
  for (const kind of ["account", "container", "object"] as const) {
    const port = await freePort();
    makeRing(folder, kind, port);
    run(`swift-${kind}-server`, [writeBackend(folder, kind, port)], port);
  }
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  run("memcached", ["-l", "127.0.0.1", "-p", String(ports.memcached), ...user], ports.memcached);
  run("swift-proxy-server", [writeProxy(folder, ports)], ports.proxy);
  for (const { server, port } of servers) {
    while (!(await accepts(port))) {
      if (server.exitCode !== null) {
        await stop();
        throw new Error(`${server.spawnfile} ended with ${server.exitCode}.`);
      }
      await systemClock.sleep(50);
    }
  }
  return { ...credentials, endpoint: `http://127.0.0.1:${ports.proxy}`, stop };
}

/** One copy of everything, on one device. */
function makeRing(folder: string, kind: string, port: number): void {
  const builder = join(folder, `${kind}.builder`);
  const ring = (...flags: string[]): Buffer => execFileSync(ringBuilder, [builder, ...flags]);
  ring("create", "4", "1", "0");
  ring("add", `r1z1-127.0.0.1:${port}/disk`, "1");
  ring("rebalance");
}

function writeBackend(folder: string, kind: string, port: number): string {
  const devices = join(folder, "devices");
  mkdirSync(join(devices, "disk"), { recursive: true });
  return writeConfiguration(folder, `${kind}-server`, [
    "[DEFAULT]",
    ...common(folder, port),
    `devices = ${devices}`,
    "mount_check = false",
    // Uploads take more than the machine keeps free for others.
    "fallocate_reserve = 0",
    "[pipeline:main]",
    `pipeline = ${kind}-server`,
    `[app:${kind}-server]`,
    `use = egg:swift#${kind}`,
    `recon_cache_path = ${folder}`,
  ]);
}

function writeProxy(folder: string, ports: { memcached: number; proxy: number }): string {
  const filters = ["catch_errors", "cache", "listing_formats", "s3api", "tempauth", "copy", "bulk", "slo"];
  const settings: Record<string, string[]> = {
    cache: ["use = egg:swift#memcache", `memcache_servers = 127.0.0.1:${ports.memcached}`],
    s3api: ["use = egg:swift#s3api", "s3_acl = no", `location = ${credentials.region}`],
    tempauth: ["use = egg:swift#tempauth", `user_test_tester = ${credentials.secretAccessKey} .admin`],
  };
  return writeConfiguration(folder, "proxy-server", [
    "[DEFAULT]",
    ...common(folder, ports.proxy),
    "[pipeline:main]",
    `pipeline = ${filters.join(" ")} proxy-server`,
    "[app:proxy-server]",
    "use = egg:swift#proxy",
    "account_autocreate = true",
    ...filters.flatMap((name) => [`[filter:${name}]`, ...(settings[name] ?? [`use = egg:swift#${name}`])]),
  ]);
}

function common(folder: string, port: number): string[] {
  const user = execFileSync("id", ["-un"], { encoding: "utf8" }).trim();
  return ["bind_ip = 127.0.0.1", `bind_port = ${port}`, "workers = 0", `user = ${user}`, `swift_dir = ${folder}`];
}

function writeConfiguration(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, `${name}.conf`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
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
