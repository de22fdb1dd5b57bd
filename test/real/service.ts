import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { FileHost } from "./files.ts";
import type { RealPds } from "./pds.ts";

export interface Wire {
  /** Sees a request before it leaves, and may change it. */
  onRequest?(request: Request): Request;
  onResponse?(request: Request, response: Response): void;
}

/** A service whose Bluesky is the given PDS. */
export function createRealService(
  {
    pds,
    files,
    clock,
    scopes,
    storage = memoryStorage(clock === undefined ? {} : { clock }),
  }: {
    pds: Pick<RealPds, "url" | "http">;
    files?: FileHost;
    clock?: Clock;
    scopes?: readonly ("publish" | "inbox")[];
    storage?: Storage;
  },
  wire: Wire = {},
): SocialService {
  return createSocialService({
    storage,
    networks: [bluesky({ service: pds.url, ...(scopes && { scopes }) })],
    encryptionKey: testKey,
    allowedHosts: files === undefined ? [] : [files.host],
    logger: silentLogger,
    ...(clock === undefined ? {} : { clock }),
    http: async (input, init) => {
      const given = new Request(input, init);
      const request = wire.onRequest?.(given) ?? given;
      const body = request.body === null ? {} : { body: await request.arrayBuffer() };
      const response = await pds.http(request.url, { method: request.method, headers: request.headers, ...body });
      wire.onResponse?.(request, response);
      return response;
    },
  });
}
