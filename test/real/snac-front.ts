import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/ports/clock.ts";
import { testCertificate, testKey } from "../outbound/certificate.ts";
import type { SkippingClock } from "./skipping-clock.ts";
import { askSnac, readAll, type SnacAnswer, type SnacServer } from "./snac.ts";
import { certifiedName, trustingFetch } from "./trusting-fetch.ts";

/** The fault of one request: before it is passed on, or after. */
export const faults = [
  "dropped before",
  "dropped after",
  "502 before",
  "502 after",
  "late answer",
  "late post",
  "cut answer",
  "broken answer",
  "page for an answer",
  "killed before",
  "killed after",
] as const;
export type Fault = (typeof faults)[number];

/** The requests that can fail: a post, the upload of an image, a look at the account's posts. */
export type Spoilt = "post" | "upload" | "look";

export interface Spoil {
  fault: Fault;
  what: Spoilt;
  /** The number of the request from now on, from 0. */
  at: number;
  /** Called right after the fault, before any look. */
  afterwards?(): Promise<void>;
  /** The action of "killed". */
  kill?(): Promise<void>;
}

/** A front like those of small servers: it terminates TLS, passes requests on, and fails single requests on order. */
export interface SnacFront {
  /** The end of an account's handle here. */
  host: string;
  /** `fetch` for the service: reaches only this front. */
  http: typeof fetch;
  /** Offers an image. Returns its URL. */
  putPicture(name: string, bytes: Uint8Array): string;
  spoil(orders: readonly Spoil[]): void;
  /** True once all orders were carried out. */
  hasSpoilt(): boolean;
  /** Waits for the responses to all requests, even those of killed processes: time is skipped after. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface Passed {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/**
 * The server lives in the machine's time, the service ahead of it, since it
 * skips its waits. So that both see one time, the front moves each post's
 * `created_at` by the time skipped before it was made, and sends the service's
 * time as `Date`, like a front with a right clock.
 */
export async function startFront(
  snac: SnacServer,
  clock: Pick<SkippingClock, "now" | "aheadMs" | "hold">,
): Promise<SnacFront> {
  const aheadOf = new Map<string, number>();
  const snacUrl = `http://127.0.0.1:${snac.port}`;
  const pictures = new Map<string, Uint8Array>();
  let orders: Spoil[] = [];
  let seen: Record<Spoilt, number> = { post: 0, upload: 0, look: 0 };
  let letTimePass = (): void => undefined;
  let atWork = 0;

  const server = createServer({ key: testKey, cert: testCertificate }, (request, response) => {
    // A client that disconnects is not an error of this server.
    response.on("error", () => undefined);
    atWork += 1;
    serve(request, response)
      .catch((error: unknown) => response.destroy(error as Error))
      .finally(() => {
        atWork -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = request;
    const picture = pictures.get(path);
    if (picture !== undefined) {
      response.writeHead(200, { "content-type": "image/png", "content-length": picture.length });
      response.end(method === "HEAD" ? undefined : picture);
      return;
    }
    const passed = { method, path, headers, body: await readAll(request) };
    const order = orderFor(kindOf(passed));
    if (order === undefined) answerWith(await pass(passed), response);
    else await carryOut(order, passed, response);
  }

  function orderFor(what: Spoilt | null): Spoil | undefined {
    if (what === null) return undefined;
    const number = seen[what]++;
    const order = orders.find((each) => each.what === what && each.at === number);
    orders = orders.filter((each) => each !== order);
    return order;
  }

  async function pass({ method, path, headers, body }: Passed): Promise<SnacAnswer> {
    const { "content-type": type, authorization, "idempotency-key": key } = headers;
    const given = { "content-type": type, authorization, "idempotency-key": key };
    const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const answer = await askSnac(snac.port, { method, path, headers: named }, body);
    return { ...answer, body: Buffer.from(inServiceTime(String(answer.body))) };
  }

  function inServiceTime(text: string): string {
    if (!text.startsWith("{") && !text.startsWith("[")) return text;
    return JSON.stringify(JSON.parse(text), (_, value) => (isStatus(value) ? moveStatus(value) : value));
  }

  /** An edited post has another id, and the same URL. */
  function moveStatus(status: Status): Status {
    const key = status.uri ?? status.id;
    const { created_at, edited_at } = status;
    const edited = edited_at == null ? {} : { edited_at: moveTime(`${key} ${edited_at}`, edited_at) };
    return { ...status, created_at: moveTime(key, created_at), ...edited };
  }

  function moveTime(key: string, time: string): string {
    const ahead = aheadOf.get(key) ?? clock.aheadMs();
    aheadOf.set(key, ahead);
    return new Date(Date.parse(time) + ahead).toISOString();
  }

  function answerWith({ status, headers, body }: SnacAnswer, response: ServerResponse): void {
    const type = headers["content-type"] ?? "text/plain";
    const date = new Date(clock.now()).toUTCString();
    const link =
      headers.link === undefined ? {} : { link: String(headers.link).replaceAll(snacUrl, `https://${host}`) };
    response.writeHead(status, { "content-type": type, "content-length": body.length, date, ...link }).end(body);
  }

  async function carryOut({ fault, afterwards, kill }: Spoil, passed: Passed, response: ServerResponse): Promise<void> {
    if (fault === "killed before") await kill?.();
    if (fault === "late post") await leave(response);
    const isPassed = !fault.endsWith("before");
    const answer = isPassed ? await pass(passed) : null;
    if (fault === "killed after") await kill?.();
    await afterwards?.();
    if (fault === "late answer") await leave(response);
    if (fault.startsWith("502")) return answerWith(page(502), response);
    if (fault === "page for an answer") return answerWith(page(200), response);
    const half = Math.floor((answer?.body.length ?? 0) / 2);
    if (fault === "cut answer" && answer !== null)
      return answerWith({ ...answer, body: answer.body.subarray(0, half) }, response);
    if (fault === "broken answer" && answer !== null) {
      response.writeHead(200, { "content-type": "application/json", "content-length": answer.body.length });
      await new Promise<void>((resolve) => response.write(answer.body.subarray(0, half), () => resolve()));
    }
    response.destroy();
  }

  /** Lets the client wait until it gives up. */
  async function leave(response: ServerResponse): Promise<void> {
    const gone = new Promise<void>((resolve) => response.once("close", resolve));
    letTimePass();
    await gone;
  }

  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );

  const host = `${certifiedName}:${(server.address() as AddressInfo).port}`;
  return {
    host,
    async http(input, init) {
      const release = clock.hold();
      letTimePass = release;
      return trustingFetch(input, init).finally(release);
    },
    putPicture(name, bytes) {
      pictures.set(`/${name}`, bytes);
      return `https://${host}/${name}`;
    },
    spoil(ordered) {
      orders = [...ordered];
      seen = { post: 0, upload: 0, look: 0 };
    },
    hasSpoilt: () => orders.length === 0,
    async settle() {
      // The bytes that a process wrote before it was killed are still read from its connection.
      while (atWork > 0 || (await openConnections()) > 0) {
        server.closeIdleConnections();
        await systemClock.sleep(20);
      }
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lists and sources of posts, both of which a look reads. */
const looks = /^\/api\/v1\/(accounts\/[^/]+\/statuses|timelines\/home|statuses\/[^/]+)/;

function kindOf({ method, path }: Passed): Spoilt | null {
  if (method === "GET") return looks.test(path) ? "look" : null;
  if (path === "/api/v1/statuses") return "post";
  return path.startsWith("/api/v2/media") ? "upload" : null;
}

interface Status {
  id: string;
  uri?: string;
  created_at: string;
  edited_at?: string | null;
}

/** A notification has a date, like a status. */
function isStatus(value: unknown): value is Status {
  const isDated = typeof value === "object" && value !== null && "created_at" in value && "id" in value;
  return isDated && ("content" in value || ("type" in value && "status" in value));
}

function page(status: number): SnacAnswer {
  const body = Buffer.from(`<!doctype html><title>${status}</title><h1>The server behind is not well.</h1>`);
  return { status, headers: { "content-type": "text/html" }, body };
}
