import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HostedMedia } from "../../src/hosting/schema.ts";
import { createHandler, type Handler } from "../../src/http/handler.ts";
import { toNodeHandler } from "../../src/http/node.ts";
import { fixture } from "../media/fixtures.ts";
import { jpeg } from "../media/samples.ts";
import { expectAgreement, folderStore, type WatchedStore } from "../support/hosting.ts";
import { createTestService, type TestService } from "../support/service.ts";

const video = fixture("index-last.mp4");

let server: Server;
let service: TestService;
let kept: WatchedStore;
let origin: string;
let authorization: string;
/** The responses that the handler is preparing. */
let answers: Promise<Response>[];

beforeEach(async () => {
  kept = folderStore();
  answers = [];
  server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = createTestService({ mediaStore: kept.store, baseUrl: `${origin}/social` });
  const handler = createHandler(service.social, { basePath: "/social" });
  const watched: Handler = (given) => {
    const answer = handler(given);
    answers.push(answer);
    return answer;
  };
  const listener = toNodeHandler(watched);
  const { key } = await service.social.keys.create();
  authorization = `Bearer ${key}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await expectAgreement(service.storage, kept);
  kept.cleanup();
});

it("the endpoint accepts a form sent by fetch, and serves its file in ranges", async () => {
  const body = new FormData();
  body.append("file", new File([video.slice()], "größer.mp4"));
  const sent = await fetch(`${origin}/social/v1/media`, { method: "POST", body, headers: { authorization } });
  const { data } = (await sent.json()) as { data: HostedMedia };
  expect([sent.status, data.content_type, data.size_bytes]).toEqual([201, "video/mp4", video.length]);
  const got = await fetch(data.url);
  expect(Buffer.compare(Buffer.from(await got.arrayBuffer()), video)).toBe(0);
  const part = await fetch(data.url, { headers: { range: "bytes=100-199" } });
  expect([part.status, part.headers.get("content-length")]).toEqual([206, "100"]);
  expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), video.subarray(100, 200))).toBe(0);
  const head = await fetch(data.url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(video.length), ""]);
});

it("the endpoint responds before a body that is too large has ended", async () => {
  const headers = { authorization, "content-type": "video/mp4", "content-length": "3000000000" };
  const sent = request(`${origin}/social/v1/media`, { method: "POST", headers });
  sent.on("error", () => undefined);
  sent.write(video);
  const [answer] = await once(sent, "response");
  expect(answer.statusCode).toBe(413);
  sent.destroy();
});

it("the endpoint keeps nothing of a file whose sender disconnects", async () => {
  const headers = { authorization, "content-type": "image/jpeg" };
  const sent = request(`${origin}/social/v1/media`, { method: "POST", headers });
  sent.on("error", () => undefined);
  sent.write(Buffer.concat([jpeg(64, 64).subarray(0, -2), Buffer.alloc(200_000, 0x5a)]));
  await once(server, "request");
  while (kept.names().length === 0) await new Promise((resolve) => setImmediate(resolve));
  sent.destroy();
  const [answer] = await Promise.all(answers);
  expect(answer?.status).toBe(400);
  expect(kept.names()).toEqual([]);
});

it("the endpoint tolerates a reader that disconnects", async () => {
  const { url } = await service.social.media.upload(video);
  const sent = request(url);
  sent.end();
  const [answer] = await once(sent, "response");
  answer.destroy();
  expect((await fetch(url)).status).toBe(200);
});
