import { z } from "zod";
import {
  type ConnectBody,
  connectionSchema,
  connectSchema,
  type FinishConnection,
  finishConnectionSchema,
  finishedConnectionSchema,
  type GetConnection,
  getConnectionSchema,
  startedConnectionSchema,
} from "../connections/schema.ts";
import { SocialError } from "../wire/errors.ts";
import type { Call, Reply, Route } from "./route.ts";
import { changesProfiles, reads } from "./route-kinds.ts";

const connectionPath = "/v1/profiles/connect/{connectionId}";

/** Connecting accounts, by credentials and by a login in a browser. */
export const connectRoutes: readonly Route[] = [
  {
    ...changesProfiles(
      "POST",
      "/v1/profiles/connect",
      "connectProfile",
      "Connect an account by its credentials, or begin a login in the browser",
    ),
    body: {
      schema: connectSchema,
      isRequired: true,
      example: {
        network: "bluesky",
        credentials: { identifier: "alice.sandbox.example", app_password: "abcd-efgh-ijkl-mnop" },
      },
    },
    status: 201,
    data: z.union([finishedConnectionSchema, startedConnectionSchema]),
    errors: ["not_found", "conflict", "unsupported", "publish_failed"],
    run: connect,
  },
  {
    ...reads(connectionPath, "getConnection", "See how far a login is, and which accounts it reaches"),
    scope: "profiles",
    query: getConnectionSchema,
    data: connectionSchema,
    errors: ["not_found"],
    run: async ({ modules, id, query }: Call<GetConnection, never>) => ({
      data: await modules.connections.get(id, query),
    }),
  },
  {
    ...changesProfiles("POST", connectionPath, "finishConnection", "Connect accounts that a login reaches"),
    body: {
      schema: finishConnectionSchema,
      isRequired: true,
      example: { code: "pWzJ2aX6yQ0fD8vN5mT1sL7kR3cH9bG4uE-iO_wY6xA" },
    },
    status: 201,
    data: finishedConnectionSchema,
    errors: ["not_found", "conflict", "publish_failed"],
    run: async ({ modules, id, body }: Call<never, FinishConnection>) => ({
      data: await modules.connections.finish(id, body),
    }),
  },
];

/** With credentials there is nothing to log in for. */
async function connect({ modules, body }: Call<never, ConnectBody>): Promise<Reply> {
  const { network, credentials, redirect_url, login, profile_id } = body;
  if (credentials !== undefined) {
    refuseBoth(body);
    return { data: { profiles: [await modules.profiles.connect({ network, credentials, profile_id })] } };
  }
  if (redirect_url === undefined)
    throw wrong("credentials", "Give the account's credentials, or a redirect_url for a login in the browser.");
  return { data: await modules.connections.start({ network, redirect_url, login, profile_id }) };
}

function refuseBoth({ redirect_url, login }: ConnectBody): void {
  if (redirect_url !== undefined) throw wrong("redirect_url", "Give credentials or redirect_url, not both.");
  if (Object.keys(login).length > 0)
    throw wrong("login", "It is for a login in the browser; with credentials leave it out.");
}

function wrong(field: string, message: string): SocialError {
  const details = [{ field, code: "invalid_request" as const, message }];
  return new SocialError("invalid_request", "The request is not valid.", { details });
}
