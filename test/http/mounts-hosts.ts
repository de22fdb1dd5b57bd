import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express, type RequestHandler } from "express";
// @ts-expect-error An alias, for which @types has nothing.
import untypedExpress4 from "express4";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import type { Handler } from "../../src/http/handler.ts";
import { type RouteHandlers, toNextJsHandler } from "../../src/http/next.ts";
import { toNodeHandler } from "../../src/http/node.ts";
import { host, type MountCase } from "./mounts-cases.ts";
import { basePath } from "./mounts-world.ts";

/** The parts of a response that must be the same, wherever the handler is mounted. */
export interface MountAnswer {
  status: number;
  headers: [string, string][];
  body: string;
}

export interface OpenMount {
  send(mountCase: MountCase): Promise<MountAnswer>;
  close(): Promise<void>;
}

export interface Mount {
  name: string;
  open(handler: Handler): Promise<OpenMount>;
  /** Cases in which the framework responds before the handler can, and why. */
  answersItself: Readonly<Record<string, string>>;
}

const express4 = untypedExpress4 as typeof express;

const prefix = { "names the mount outside of it": "the framework sends nothing outside of the prefix" };
const strictJson = {
  "refuses broken JSON": "the parser answers itself",
  "refuses a large body": "the parser answers itself",
  "refuses a large body that is streamed": "the parser answers itself",
};
const jsonParser = {
  ...prefix,
  ...strictJson,
  "refuses what is no UTF-8": "the parser puts U+FFFD there",
};

/** The handler without a mount. */
export const bare: Mount = {
  name: "the handler itself",
  open: async (handler) => inProcess(handler),
  answersItself: {},
};

export const mounts: readonly Mount[] = [
  {
    name: "Hono",
    async open(handler) {
      const app = new Hono();
      app.all(`${basePath}/*`, ({ req }) => handler(req.raw));
      return inProcess(async (request) => app.fetch(request));
    },
    answersItself: prefix,
  },
  {
    name: "Hono on Node",
    open(handler) {
      const app = new Hono();
      app.all(`${basePath}/*`, ({ req }) => handler(req.raw));
      return served(toNodeHandler(app.fetch));
    },
    answersItself: prefix,
  },
  {
    name: "Next.js route handlers",
    async open(handler) {
      const handlers = toNextJsHandler(handler);
      return inProcess((request) => handlers[request.method as keyof RouteHandlers](request));
    },
    answersItself: {},
  },
  { name: "node:http", open: (handler) => served(toNodeHandler(handler)), answersItself: {} },
  onExpress("Express 5", express(), []),
  onExpress("Express 4", express4(), []),
  onExpress("Express 5 behind express.json()", express(), [express.json(), express.urlencoded()], jsonParser),
  onExpress(
    "Express 4 behind express.json()",
    express4(),
    [express4.json(), express4.urlencoded({ extended: true })],
    jsonParser,
  ),
  onExpress("Express 5 behind express.text()", express(), [express.text({ type: () => true, limit: "2mb" })], {
    ...prefix,
    "refuses what is no UTF-8": "the parser puts U+FFFD there",
  }),
  onExpress("Express 5 behind express.raw()", express(), [express.raw({ type: () => true, limit: "2mb" })]),
  onExpress("Express 4 behind express.raw()", express4(), [express4.raw({ type: () => true, limit: "2mb" })]),
  onFastify(
    "Fastify",
    (app, handler) => {
      const listener = toNodeHandler(handler);
      app.all(
        `${basePath}/*`,
        {
          onRequest(request, reply) {
            reply.hijack();
            return listener(request.raw, reply.raw);
          },
        },
        () => {},
      );
    },
    {},
  ),
  onFastify(
    "Fastify behind its own parser",
    (app, handler) => {
      const listener = toNodeHandler(handler);
      app.all(`${basePath}/*`, (request, reply) => {
        reply.hijack();
        return listener(Object.assign(request.raw, { body: request.body }), reply.raw);
      });
    },
    {
      ...strictJson,
      "refuses an empty body": "the parser answers itself",
      "refuses a streamed body with nothing in it": "the parser answers itself",
      "refuses what is no UTF-8": "the parser puts U+FFFD there",
      "refuses __proto__": "the parser answers itself",
      "refuses a form": "the parser answers itself",
      "refuses a body without a type": "the parser answers itself",
    },
  ),
];

function onExpress(
  name: string,
  app: Express,
  before: RequestHandler[],
  answersItself: Mount["answersItself"] = prefix,
): Mount {
  return {
    name,
    open(handler) {
      app.disable("x-powered-by");
      for (const parser of before) app.use(parser);
      app.use(basePath, toNodeHandler(handler));
      return served(app);
    },
    answersItself,
  };
}

function onFastify(
  name: string,
  mount: (app: FastifyInstance, handler: Handler) => void,
  answersItself: Mount["answersItself"],
): Mount {
  return {
    name,
    async open(handler) {
      const app = fastify();
      mount(app, handler);
      await app.listen({ port: 0, host: "127.0.0.1" });
      const { port } = app.server.address() as AddressInfo;
      return { send: sendTo(port), close: () => app.close() };
    },
    answersItself: {
      ...prefix,
      "does not know an id that cannot be decoded": "Fastify's router answers itself",
      ...answersItself,
    },
  };
}

/** A server on loopback. */
export async function served(listener: RequestListener): Promise<OpenMount & { port: number }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    send: sendTo(port),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function inProcess(handler: Handler): OpenMount {
  return {
    async send({ method, path, headers, body, isStreamed }) {
      const stream = body === null || !isStreamed ? body : ReadableStream.from(pieces(body));
      const request = new Request(`http://${host}${path}`, {
        method,
        headers,
        ...(stream === null ? {} : { body: stream, duplex: "half" }),
      });
      const answer = await handler(request);
      return comparable(answer.status, [...answer.headers], await answer.text());
    },
    close: async () => {},
  };
}

function sendTo(port: number): OpenMount["send"] {
  return async ({ method, path, headers, body, isStreamed }) => {
    const lines = ["Host", host, ...headers.flat()];
    const framing = isStreamed ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(body?.length ?? 0)];
    const outgoing = httpRequest({ port, host: "127.0.0.1", method, path, headers: [...lines, ...framing] });
    // A response that comes before the body has gone out closes the connection under it.
    outgoing.on("error", () => {});
    const answered = once(outgoing, "response");
    for (const piece of pieces(body ?? new Uint8Array())) outgoing.write(piece);
    outgoing.end();
    const [answer] = (await answered) as [IncomingMessage];
    let text = "";
    for await (const piece of answer.setEncoding("utf8")) text += piece;
    return comparable(answer.statusCode ?? 0, pairs(answer.rawHeaders), text);
  };
}

function* pieces(body: Uint8Array): Generator<Uint8Array> {
  const length = 100_000;
  for (let start = 0; start < body.length; start += length) yield body.subarray(start, start + length);
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""]] : [],
  );
}

/** Headers of the connection, not of the response. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function comparable(status: number, headers: [string, string][], body: string): MountAnswer {
  const relevant = headers.filter(([name]) => !connectionHeaders.has(name));
  return { status, headers: relevant.sort(([a], [b]) => (a < b ? -1 : 1)), body };
}
