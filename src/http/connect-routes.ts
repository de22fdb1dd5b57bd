import * as z from "zod";
import {
  type ConnectBody,
  connectionSchema,
  connectSchema,
  type FinishConnection,
  finishConnectionSchema,
  finishedConnectionSchema,
  type GetConnection,
  getConnectionSchema,
  type StartConnection,
  startedConnectionSchema,
} from "../connections/schema.ts";
import type { ConnectProfile } from "../profiles/schema.ts";
import { SocialError } from "../wire/errors.ts";
import type { Call, Reply, Route } from "./route.ts";
import { changesProfiles, reads } from "./route-kinds.ts";

const connectionPath = "/v1/profiles/connect/{connectionId}";

/** Routes that connect profiles, by credentials and by a browser sign-in. */
export const connectRoutes: readonly Route[] = [
  {
    ...changesProfiles(
      "POST",
      "/v1/profiles/connect",
      "connectProfile",
      "Connect an account with its credentials, or start a browser sign-in",
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
    ...reads(connectionPath, "getConnection", "Retrieve a browser sign-in's progress and the accounts to choose from"),
    scope: "profiles",
    query: getConnectionSchema,
    data: connectionSchema,
    errors: ["not_found"],
    run: async ({ modules, id, query }: Call<GetConnection, never>) => ({
      data: await modules.connections.get(id, query),
    }),
  },
  {
    ...changesProfiles(
      "POST",
      connectionPath,
      "finishConnection",
      "Finish a browser sign-in: connect the chosen accounts",
    ),
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

/** Connects with credentials, or starts a browser sign-in; the two cannot be combined. */
async function connect({ modules, body }: Call<never, ConnectBody>): Promise<Reply> {
  const isLogin = body.redirect_url !== undefined || body.login !== undefined;
  if (!isLogin) return { data: { profiles: [await modules.profiles.connect(body as ConnectProfile)] } };
  if (body.credentials === undefined) return { data: await modules.connections.start(body as StartConnection) };
  throw wrong(
    "credentials",
    "The body must have either credentials, or redirect_url and login for a browser sign-in, not both.",
  );
}

function wrong(field: string, message: string): SocialError {
  const details = [{ field, code: "invalid_request" as const, message }];
  return new SocialError("invalid_request", "The request is not valid.", { details });
}
