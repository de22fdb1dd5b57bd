import { type Clock, createSocialService, type SocialService } from "postrider";
import { filesStore } from "postrider/media/files";
import { sharpTransformer } from "postrider/media/sharp";
import { remoteSandbox } from "postrider/sandbox";
import { sqliteStorage } from "postrider/storage/sqlite";
import { scenes } from "./networks.ts";

/** Where the networks that fetch files themselves find those that are kept. */
export const demoBaseUrl = "https://demo.example.com/social";

/** What every process of the demo opens: the same database, the same simulated networks. */
export interface World {
  /** The SQLite file. */
  database: string;
  /** Where uploaded files are kept. */
  mediaFolder: string;
  /** Where the simulated networks are served. */
  sandboxUrl: string;
  encryptionKey: string;
  /** Where a receiver of webhooks listens: `127.0.0.1:<port>`. */
  receiver: string;
}

export function openService(
  { database, mediaFolder, sandboxUrl, encryptionKey, receiver }: World,
  clock: Clock,
  send: typeof fetch = fetch,
): SocialService {
  const http = remoteSandbox(sandboxUrl, send);
  return createSocialService({
    storage: sqliteStorage(database, { clock }),
    networks: scenes.map(({ adapter }) => adapter()),
    encryptionKey,
    clock,
    http,
    untrustedHttp: (input, init) => (new URL(String(input)).host === receiver ? fetch : http)(input, init),
    allowedHosts: [receiver],
    mediaStore: filesStore(mediaFolder),
    baseUrl: demoBaseUrl,
    mediaTransformers: [sharpTransformer()],
  });
}
