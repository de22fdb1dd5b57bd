import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";
import { signingKeySchema } from "./signing-key.ts";

export const passwordCredentials = documentedObject({
  /** The handle (alice.bsky.social), the DID, or the e-mail address of the account. */
  identifier: z
    .string()
    .min(1)
    .max(2048)
    .describe("The handle (alice.bsky.social), the DID, or the e-mail address of the account."),
  /** An app password, made in Settings → Privacy and security → App passwords; not the account's own. */
  app_password: z
    .string()
    .min(1)
    .max(256)
    .describe("An app password, made in Settings → Privacy and security → App passwords; not the account's own."),
  /** Address of the account's own server, only where it cannot be found by the handle: https://pds.example.com. */
  service: webAddress
    .nullable()
    .default(null)
    .describe(
      "Address of the account's own server, only where it cannot be found by the handle: https://pds.example.com.",
    ),
});

/** Tokens are one long word. */
const tokenSchema = z.string().regex(/^[\x21-\x7e]{1,20000}$/);

/** What a login in the browser brings. */
export const grantCredentials = documentedObject({
  /** The account. */
  did: z.string().max(2048).describe("The account."),
  /** The authorization server that the login was made at. */
  issuer: webAddress.describe("The authorization server that the login was made at."),
  /** The app that it was made with, by the address of its description. */
  client_id: z.url().max(4000).describe("The app that it was made with, by the address of its description."),
  /** Which of the app's keys it was made with; null: none. */
  key_id: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe("Which of the app's keys it was made with; null: none."),
  /** What it may do. */
  scopes: z.array(z.string().max(500)).max(100).describe("What it may do."),
  /** Goes with each request. */
  access_token: tokenSchema.describe("Goes with each request."),
  /** Brings new tokens, once. */
  refresh_token: tokenSchema.describe("Brings new tokens, once."),
  /** When the access token runs out, milliseconds since 1970; null: nobody knows. */
  expires_at: z
    .number()
    .int()
    .nullable()
    .default(null)
    .describe("When the access token runs out, milliseconds since 1970; null: nobody knows."),
  /** The private key that both tokens are bound to. */
  secret_key: signingKeySchema.describe("The private key that both tokens are bound to."),
});

/** An app password, or what a login in the browser brings. */
export const anyCredentials = z.union([passwordCredentials, grantCredentials]);

/** By app password alone where there is no app, both ways else. */
export type CredentialsSchema = typeof passwordCredentials | typeof anyCredentials;

/** What a login in the browser brings, parsed. */
export type Grant = z.output<typeof grantCredentials>;
