import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createApp } from "../../examples/connect/app.ts";
import { toNodeHandler } from "../../src/http/node.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { testCertificate, testKey as testCertificateKey } from "../outbound/certificate.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { Preparation } from "./connect-rows.ts";
import { type MovingClock, movingClock } from "./moving-clock.ts";
import { certifiedName } from "./trusting-fetch.ts";

/** The example's app, and the simulated networks' pages at another origin. */
export interface ConnectHost {
  social: SocialService;
  clock: MovingClock;
  sandbox: Sandbox;
  /** The app's origin. */
  origin: string;
  /** The origin of the networks' pages. */
  networksOrigin: string;
  /** The referrer of each request. */
  referrers(): { to: string; from: string }[];
  stop(): Promise<void>;
}

export async function startConnectHost({ network, prepare, needsPublicHost }: Preparation): Promise<ConnectHost> {
  const clock = movingClock();
  const sandbox = createSandbox({ clock });
  const seen: { to: string; from: string }[] = [];
  const noteReferrer = (to: string, from: string | undefined): void => {
    if (from !== undefined) seen.push({ to, from });
  };
  // Bluesky redirects browsers only to this name, of those that resolve to this machine.
  const app = await openSite(needsPublicHost ? certifiedName : "127.0.0.1", noteReferrer);
  const pages = await openSite("localhost", noteReferrer);
  const baseUrl = `${app.origin}/social`;
  const networks = [prepare(sandbox, `${baseUrl}/connect/${network}/callback`)];
  const social = await startService({ clock, sandbox, networks, baseUrl, origin: app.origin });
  const showPage = toNodeHandler(sandbox.pages);
  pages.show((request, response) => {
    if (request.url !== "/elsewhere") return void showPage(request, response);
    response.writeHead(200, { "content-type": "text/html" }).end('<link rel="icon" href="data:,"><h1>Elsewhere</h1>');
  });
  const loginPage = (url: string): string => `${pages.origin}/?at=${encodeURIComponent(url)}`;
  app.show(createApp({ social, origin: app.origin, loginPage }));

  return {
    social,
    clock,
    sandbox,
    origin: app.origin,
    networksOrigin: pages.origin,
    referrers: () => seen,
    async stop() {
      await Promise.all([app.close(), pages.close(), social.stop(2_000)]);
    },
  };
}

async function startService(given: {
  clock: MovingClock;
  sandbox: Sandbox;
  networks: NetworkAdapter[];
  baseUrl: string;
  origin: string;
}): Promise<SocialService> {
  const { clock, sandbox, networks, baseUrl, origin } = given;
  const social = createSocialService({
    storage: memoryStorage({ clock }),
    networks,
    encryptionKey: testKey,
    baseUrl,
    trustedOrigins: [origin],
    clock,
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
    logger: silentLogger,
  });
  await social.start();
  return social;
}

/** A server whose origin is known before its pages; with the certified name it uses TLS. */
export interface Site {
  origin: string;
  show(listener: RequestListener): void;
  close(): Promise<void>;
}

export async function openSite(
  name: string,
  noteReferrer: (to: string, from: string | undefined) => void = () => undefined,
): Promise<Site> {
  let shown: RequestListener = (_request, response) => void response.writeHead(503).end();
  const isCertified = name === certifiedName;
  const show: RequestListener = (request, response) => {
    noteReferrer(`${origin}${request.url}`, request.headers.referer);
    shown(request, response);
  };
  const server: Server = isCertified
    ? createSecureServer({ key: testCertificateKey, cert: testCertificate }, show)
    : createServer(show);
  await new Promise<void>((resolve) => server.listen(0, isCertified ? "127.0.0.1" : name, resolve));
  const origin = `${isCertified ? "https" : "http"}://${name}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    show(listener) {
      shown = listener;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
