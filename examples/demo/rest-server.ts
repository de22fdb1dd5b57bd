import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import type { SocialService } from "postrider";
import { createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
import { type Caller, createCaller } from "./caller.ts";

/** The REST surface in an Express app on loopback, mounted at /social. */
export interface RestServer {
  /** Asks with an API key of its own. */
  call: Caller;
  close(): void;
}

export async function serveRest(social: SocialService): Promise<RestServer> {
  const app = express();
  app.use("/social", toNodeHandler(createHandler(social, { basePath: "/social" })));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { key } = await social.keys.create();
  return {
    call: createCaller({ url: `http://127.0.0.1:${port}/social`, key }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
