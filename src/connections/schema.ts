import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { connectProfileSchema, profileSchema } from "../profiles/schema.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { addressOnTheWeb } from "../wire/parse.ts";

const redirectUrl = addressOnTheWeb("Must be the URL of a page of yours, https or http.").max(2_000);

const startFields = {
  /** The network. */
  network: networkId.describe("The network."),
  /** URL of your page that the browser returns to; its origin must be in `trustedOrigins`. */
  redirect_url: redirectUrl.describe(
    "URL of your page that the browser returns to; its origin must be in `trustedOrigins`.",
  ),
  /** Fields that the network needs before it shows its sign-in page, such as Mastodon's server. See `login` of the network. */
  login: z
    .record(z.string(), z.json())
    .default({})
    .describe(
      "Fields that the network needs before it shows its sign-in page, such as Mastodon's server. See `login` of the network.",
    ),
  /** Reconnect this profile; the user must sign in to the same account. */
  profile_id: z.string().nullish().describe("Reconnect this profile; the user must sign in to the same account."),
};

export const startConnectionSchema = documentedObject(startFields);

/** The argument of `connections.start`: a network, and where the browser returns to. */
export type StartConnection = z.input<typeof startConnectionSchema>;

/** Over HTTP, both ways to connect share a path. */
export const connectSchema = z
  .strictObject({
    ...startFields,
    redirect_url: redirectUrl
      .optional()
      .describe(
        "For a browser sign-in: URL of your page that the browser returns to; its origin must be in `trustedOrigins`. Otherwise `credentials` is required.",
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
  /** Redirect the account owner's browser to this URL. */
  authorization_url: z.string().describe("Redirect the account owner's browser to this URL."),
  /** The sign-in must be finished by this time: ten minutes after its start. */
  expires_at: z.string().describe("The sign-in must be finished by this time: ten minutes after its start."),
}).meta({ id: "StartedConnection" });

/** A started sign-in. */
export type StartedConnection = z.infer<typeof startedConnectionSchema>;

/** Why a sign-in failed, and the remedy. */
export const connectionFailures = {
  access_denied: "The user denied access, or went back.",
  missing_scope: "The user did not grant all required permissions: sign in again and leave everything ticked.",
  no_account: "The user manages nothing that can be connected, such as a page, a channel or a server.",
  other_account: "On a reconnect, a different user signed in.",
  expired: "It took longer than ten minutes.",
  already_used: "The callback URL was opened a second time, for example by a reload. The first result remains valid.",
  app_refused: "The network rejects your app or the permissions that it requests: check the adapter's options.",
  login_failed: "The network rejected the authorization code that it had issued: sign in again.",
  network_error: "The network was unavailable: try again later.",
  internal_error: "Internal error; see the service's log.",
} as const;

const failureCodes = Object.keys(connectionFailures) as [ConnectionFailure, ...ConnectionFailure[]];

/** The `error` parameter of the page that the browser returns to. */
export type ConnectionFailure = keyof typeof connectionFailures;

const optionSchema = documentedAnswer({
  /** The id to pass to `finish` in `option_ids`. */
  id: z.string().describe("The id to pass to `finish` in `option_ids`."),
  /** The account's display name. */
  name: z.string().describe("The account's display name."),
  /** The account's handle on the network. */
  handle: z.string().nullable().describe("The account's handle on the network."),
  /** URL of its avatar. */
  avatar_url: z.string().nullable().describe("URL of its avatar."),
});

/** An account that a sign-in can connect. */
export type ConnectionOption = z.infer<typeof optionSchema>;

export const connectionSchema = documentedAnswer({
  /** The connection's id: `conn_…`. */
  id: z.string().describe("The connection's id: `conn_…`."),
  /** The network of the sign-in. */
  network: networkId.describe("The network of the sign-in."),
  /**
   * `pending`: the browser has not returned yet · `authorized`: call `finish` · `finished`, `failed` and `expired` are
   * final.
   */
  status: z
    .enum(["pending", "authorized", "finished", "failed", "expired"])
    .describe(
      "`pending`: the browser has not returned yet · `authorized`: call `finish` · `finished`, `failed` and `expired` are final.",
    ),
  /** Why it failed; null: no failure. */
  error: documentedAnswer({
    /** The same code as in the URL that the browser returned to. */
    code: z.enum(failureCodes).describe("The same code as in the URL that the browser returned to."),
    /** A message for humans: the cause and the remedy. */
    message: z.string().describe("A message for humans: the cause and the remedy."),
  })
    .nullable()
    .describe("Why it failed; null: no failure."),
  /** The accounts to choose from; null unless the status is `authorized` and `code` was given. */
  options: z
    .array(optionSchema)
    .nullable()
    .describe("The accounts to choose from; null unless the status is `authorized` and `code` was given."),
  /** The profiles that were connected. */
  profile_ids: z.array(z.string()).describe("The profiles that were connected."),
  /** When it expires. */
  expires_at: z.string().describe("When it expires."),
  /** When it was started. */
  created_at: z.string().describe("When it was started."),
}).meta({ id: "Connection" });

/** A sign-in in progress. */
export type Connection = z.infer<typeof connectionSchema>;

const codeField = z.string().min(1).max(200);

export const getConnectionSchema = documentedObject({
  /** The one-time code from the URL that the browser returned to; without it there are no `options`. */
  code: codeField
    .optional()
    .describe("The one-time code from the URL that the browser returned to; without it there are no `options`."),
});

/** The second argument of `connections.get`. */
export type GetConnection = z.input<typeof getConnectionSchema>;

export const finishConnectionSchema = documentedObject({
  /** The one-time code from the URL that the browser returned to. */
  code: codeField.describe("The one-time code from the URL that the browser returned to."),
  /** The `id`s of the accounts to connect. Optional if there is only one. */
  option_ids: z
    .array(z.string().max(500))
    .min(1)
    .max(100)
    .optional()
    .describe("The `id`s of the accounts to connect. Optional if there is only one."),
}).meta({ id: "FinishConnection" });

/** The second argument of `connections.finish`. */
export type FinishConnection = z.input<typeof finishConnectionSchema>;

export const finishedConnectionSchema = z.object({ profiles: z.array(profileSchema) });
