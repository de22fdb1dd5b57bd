import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

const passwordCredentials = documentedObject({
  /** The handle (alice.bsky.social), the DID, or the e-mail address of the account. */
  identifier: z
    .string()
    .min(1)
    .max(2048)
    .describe("The handle (alice.bsky.social), the DID, or the e-mail address of the account."),
  /** An app password, created in Settings → Privacy and security → App passwords; not the account's own password. */
  app_password: z
    .string()
    .min(1)
    .max(256)
    .describe(
      "An app password, created in Settings → Privacy and security → App passwords; not the account's own password.",
    ),
  /** URL of the account's own server, only if it cannot be found by the handle: https://pds.example.com. */
  service: webAddress
    .nullable()
    .default(null)
    .describe("URL of the account's own server, only if it cannot be found by the handle: https://pds.example.com."),
});

/** The credentials of an app password. */
export type PasswordCredentials = z.output<typeof passwordCredentials>;

/** Any secret of a browser sign-in. The sign-in code validates them. */
const secretValue = z.union([z.string(), z.number(), z.null(), z.array(z.string()), z.record(z.string(), z.string())]);

const grantCredentials = documentedObject({
  /** The account's DID. */
  identifier: z.string().max(2_048).describe("The account's DID."),
  /** The unchanged result of a browser sign-in. */
  login_secrets: z.record(z.string(), secretValue).describe("The unchanged result of a browser sign-in."),
});

/** An app password, or the result of a browser sign-in. */
export const credentialsSchema = z.union([passwordCredentials, grantCredentials]);
