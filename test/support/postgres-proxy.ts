import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * What happens to the first message of a client that has `cutAt` in it.
 * - `before`: it never arrives; both sides see the connection end.
 * - `answered`: it arrives, and the server's answer gets lost.
 * - `late`: the client sees the connection end at once; the message arrives when another connection has been made and waited a while.
 * - `held`: the same, but it arrives when `deliver` is called.
 */
export type Cut = "before" | "answered" | "late" | "held";

export interface PostgresProxy {
  port: number;
  /** How many connections were cut. */
  cuts(): number;
  /** From now on the next such message is cut. */
  arm(cutAt: RegExp, cut: Cut): void;
  /** The next connection hears in one breath that it may begin and that the server shuts down. */
  shutDownAtWelcome(): void;
  /** Lets the message through that is held. Resolves when the server has answered it. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

// https://www.postgresql.org/docs/18/protocol-message-formats.html (2026-11): ReadyForQuery, idle; ErrorResponse.
const readyForQuery = Buffer.from("Z\0\0\0\u0005I");
const goodbye = errorResponse("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");

function errorResponse(fields: string): Buffer {
  const head = Buffer.from("E\0\0\0\0");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}

/** Stands between a client and a server on this machine, and cuts one connection at a message. */
export async function postgresProxy(serverPort: number): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let armed: { cutAt: RegExp; cut: Cut } | null = null;
  let cuts = 0;
  let onNextConnection: (() => void) | null = null;
  let isShuttingDown = false;
  let held: (() => Promise<void>) | null = null;

  const listener = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    onNextConnection?.();
    onNextConnection = null;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
    }
    let isCut = false;
    client.on("close", () => isCut || server.destroy());
    server.on("close", () => client.destroy());
    server.on("data", (answer: Buffer) => {
      if (isCut) server.destroy();
      else if (isShuttingDown && answer.subarray(-readyForQuery.length).equals(readyForQuery)) {
        isShuttingDown = false;
        isCut = true;
        cuts++;
        client.end(Buffer.concat([answer, goodbye]));
      } else client.write(answer);
    });
    client.on("data", (message) => {
      if (armed === null || !armed.cutAt.test(message.toString("latin1"))) {
        server.write(message);
        return;
      }
      const { cut } = armed;
      armed = null;
      isCut = true;
      cuts++;
      if (cut === "before") server.destroy();
      if (cut === "answered") server.write(message);
      if (cut === "late") onNextConnection = () => setTimeout(() => server.write(message), 150);
      if (cut === "held") {
        held = async () => {
          server.write(message);
          await once(server, "data");
        };
      }
      if (cut !== "answered") client.destroy();
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    cuts: () => cuts,
    arm(cutAt, cut) {
      armed = { cutAt, cut };
    },
    shutDownAtWelcome() {
      isShuttingDown = true;
    },
    async deliver() {
      await held?.();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}
