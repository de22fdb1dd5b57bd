import { type AddressInfo, createServer, Socket } from "node:net";
import { vi } from "vitest";

export interface Traps {
  /** A port with a trap on IPv4 and on IPv6 loopback. */
  port: number;
  /** The traps that were reached, and the other targets that this process tried to connect to. */
  seen(): string[];
  forget(): void;
  close(): Promise<void>;
}

/**
 * Listens on loopback, on 443 and 80 if that is permitted, and watches
 * every connection that this process starts: a target outside of this machine
 * cannot be trapped in another way.
 */
export async function setTraps(): Promise<Traps> {
  let seen: string[] = [];
  const servers: ReturnType<typeof createServer>[] = [];

  async function trap(host: string, port: number): Promise<number | null> {
    const server = createServer((socket) => {
      seen.push(`trap on ${host}`);
      socket.on("error", () => {});
      socket.destroy();
    });
    const isListening = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen({ host, port, ipv6Only: host.includes(":") }, () => resolve(true));
    });
    if (!isListening) return null;
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  const port = await trap("127.0.0.1", 0);
  if (port === null) throw new Error("no trap could be set on loopback");
  await trap("::1", port);
  for (const standardPort of [80, 443]) for (const host of ["127.0.0.1", "::1"]) await trap(host, standardPort);

  const connect = Socket.prototype.connect;
  const spy = vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args: unknown[]) {
    seen.push("a connection was started");
    return Reflect.apply(connect, this, args);
  });

  return {
    port,
    seen: () => seen,
    forget: () => {
      seen = [];
    },
    async close() {
      spy.mockRestore();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
