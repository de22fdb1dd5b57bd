import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { connectProfileSchema, profileSchema } from "../profiles/schema.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { addressOnTheWeb } from "../wire/parse.ts";

const redirectUrl = addressOnTheWeb("Give the address of a page of yours, https or http.").max(2_000);

const startFields = {
  /** Which network. */
  network: networkId.describe("Which network."),
  /** Your page that the browser comes back to, below one of `trustedOrigins`. */
  redirect_url: redirectUrl.describe("Your page that the browser comes back to, below one of `trustedOrigins`."),
  /** What the network needs to know before it shows its login page: Mastodon the server. See `login` of the network. */
  login: z
    .record(z.string(), z.json())
    .default({})
    .describe(
      "What the network needs to know before it shows its login page: Mastodon the server. See `login` of the network.",
    ),
  /** Reconnect this profile; the login must be the same account's. */
  profile_id: z.string().nullish().describe("Reconnect this profile; the login must be the same account's."),
};

export const startConnectionSchema = documentedObject(startFields);

/** What `connections.start` takes: a network, and where the browser comes back to. */
export type StartConnection = z.input<typeof startConnectionSchema>;

/** Over HTTP both ways to connect share an address. */
export const connectSchema = z
  .strictObject({
    ...startFields,
    redirect_url: redirectUrl
      .optional()
      .describe(
        "For a login in the browser: your page that it comes back to, below one of `trustedOrigins`. Without it give `credentials`.",
      ),
    credentials: connectProfileSchema.shape.credentials.optional(),
  })
  .meta({
    id: "ConnectProfile",
    anyOf: [
      { required: ["credentials"], not: { anyOf: [{ required: ["redirect_url"] }, { required: ["login"] }] } },
      { required: ["redirect_url"], not: { required: ["credentials"] } },
    ],
  });

/** The body of `POST /v1/profiles/connect`. */
export type ConnectBody = z.input<typeof connectSchema>;

export const startedConnectionSchema = documentedAnswer({
  /** The connection's id: `conn_…`. */
  connection_id: z.string().describe("The connection's id: `conn_…`."),
  /** Send the browser of the account's owner there. */
  authorization_url: z.string().describe("Send the browser of the account's owner there."),
  /** Until when the login can be finished: ten minutes from its start. */
  expires_at: z.string().describe("Until when the login can be finished: ten minutes from its start."),
}).meta({ id: "StartedConnection" });

/** A login that has begun. */
export type StartedConnection = z.infer<typeof startedConnectionSchema>;

/** Why a login came to nothing, and what to do. */
export const connectionFailures = {
  access_denied: "The person refused, or went back.",
  missing_scope: "The person did not allow all that is needed: log in again and leave everything ticked.",
  no_account:
    "The login reaches nothing that can be connected: a page, a channel, a server that the person may manage.",
  other_account: "For a reconnect somebody else logged in.",
  expired: "It took longer than ten minutes.",
  already_used: "The way back was taken before, as by a reload. What the first time brought still stands.",
  app_refused: "The network does not take your app, or not what it asks for: check what the adapter was given.",
  login_failed: "The network did not take what it had sent the browser back with: log in again.",
  network_error: "The network could not be asked just then: try again later.",
  internal_error: "A fault here; the log says which.",
} as const;

const failureCodes = Object.keys(connectionFailures) as [ConnectionFailure, ...ConnectionFailure[]];

/** The value of `error` on the page that the browser comes back to. */
export type ConnectionFailure = keyof typeof connectionFailures;

const optionSchema = documentedAnswer({
  /** What `finish` takes as one of `option_ids`. */
  id: z.string().describe("What `finish` takes as one of `option_ids`."),
  /** What the account is called. */
  name: z.string().describe("What the account is called."),
  /** What people call it there. */
  handle: z.string().nullable().describe("What people call it there."),
  /** Its picture. */
  avatar_url: z.string().nullable().describe("Its picture."),
});

/** An account that a login reaches. */
export type ConnectionOption = z.infer<typeof optionSchema>;

export const connectionSchema = documentedAnswer({
  /** The connection's id: `conn_…`. */
  id: z.string().describe("The connection's id: `conn_…`."),
  /** Where somebody logs in. */
  network: networkId.describe("Where somebody logs in."),
  /** `pending`: the browser is not back yet · `authorized`: finish it · `finished`, `failed` and `expired` are over. */
  status: z
    .enum(["pending", "authorized", "finished", "failed", "expired"])
    .describe(
      "`pending`: the browser is not back yet · `authorized`: finish it · `finished`, `failed` and `expired` are over.",
    ),
  /** Why it failed; null: it did not. */
  error: documentedAnswer({
    /** As in the address that the browser came back with. */
    code: z.enum(failureCodes).describe("As in the address that the browser came back with."),
    /** What happened and what to do, for humans. */
    message: z.string().describe("What happened and what to do, for humans."),
  })
    .nullable()
    .describe("Why it failed; null: it did not."),
  /** The accounts to choose from; null unless it is authorized and `code` was given. */
  options: z
    .array(optionSchema)
    .nullable()
    .describe("The accounts to choose from; null unless it is authorized and `code` was given."),
  /** The profiles that it ended in. */
  profile_ids: z.array(z.string()).describe("The profiles that it ended in."),
  /** Until when it can be finished. */
  expires_at: z.string().describe("Until when it can be finished."),
  /** When it was started. */
  created_at: z.string().describe("When it was started."),
}).meta({ id: "Connection" });

/** A login in progress. */
export type Connection = z.infer<typeof connectionSchema>;

const codeField = z.string().min(1).max(200);

export const getConnectionSchema = documentedObject({
  /** The one-time code out of the address that the browser came back with; without it there are no `options`. */
  code: codeField
    .optional()
    .describe(
      "The one-time code out of the address that the browser came back with; without it there are no `options`.",
    ),
});

/** What `connections.get` takes besides the id. */
export type GetConnection = z.input<typeof getConnectionSchema>;

export const finishConnectionSchema = documentedObject({
  /** The one-time code out of the address that the browser came back with. */
  code: codeField.describe("The one-time code out of the address that the browser came back with."),
  /** The accounts to connect, by their `id`. May be left out where there is only one. */
  option_ids: z
    .array(z.string().max(500))
    .min(1)
    .max(100)
    .optional()
    .describe("The accounts to connect, by their `id`. May be left out where there is only one."),
}).meta({ id: "FinishConnection" });

/** What `connections.finish` takes besides the id. */
export type FinishConnection = z.input<typeof finishConnectionSchema>;

export const finishedConnectionSchema = z.object({ profiles: z.array(profileSchema) });
