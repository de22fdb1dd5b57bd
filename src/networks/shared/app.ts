import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { SignedByApp, SigningApp } from "../contract/hooks.ts";

/** The host's app at a network: one for all accounts, or a function that finds the app of an account, such as that of a white-label brand. */
export type AppSetting<App> = App | ((accountId: string) => App | null | Promise<App | null>);

/** The schema of an adapter's setting `app`. */
export function appSetting(app: z.ZodObject): z.ZodType {
  return z.union([app, z.custom((value) => typeof value === "function")], {
    error: `Must be { ${Object.keys(app.shape).join(", ")} }, or a function that returns them for an account's id.`,
  });
}

/** The app, if the host has one for all accounts. */
export function appOfAll<App extends object>(setting: AppSetting<App> | undefined): App | undefined {
  return typeof setting === "function" ? undefined : (setting as App | undefined);
}

/**
 * The host's app as the signer of webhooks. An account whose app is invalid has none.
 *
 * @param options.secretsIn the secrets that sign, newest first. @default the app's own
 */
export function signedByApp<App extends { client_id: string; client_secret: string }>(
  setting: AppSetting<App>,
  options: { schema: z.ZodType<App>; secretsIn?(app: App): readonly string[] },
): SignedByApp {
  const { schema, secretsIn = ({ client_secret }) => [client_secret] } = options;
  const toSigningApp = (app: App): SigningApp => ({
    id: app.client_id,
    secret: app.client_secret,
    signingSecrets: secretsIn(app),
  });
  const ofAll = appOfAll(setting);
  return {
    by: "app",
    appOfAll: ofAll === undefined ? null : toSigningApp(ofAll),
    async appOf(accountId) {
      const found = typeof setting === "function" ? await (setting as FindApp<App>)(accountId) : setting;
      const parsed = schema.safeParse(found);
      return parsed.success ? toSigningApp(parsed.data) : null;
    },
  };
}

type FindApp<App> = (accountId: string) => App | null | Promise<App | null>;

/**
 * The app for an account's sign-ins.
 *
 * @throws PublishingError `unsupported` if the account has none, `internal_error` if the host's function returned an
 * invalid value
 */
export async function appFor<App>(
  setting: AppSetting<App>,
  { schema, accountId, name }: { schema: z.ZodType<App>; accountId: string; name: string },
): Promise<App> {
  if (typeof setting !== "function") return setting;
  const found = await (setting as FindApp<App>)(accountId);
  if (found === null) throw new PublishingError("unsupported", `This account has no app at ${name}.`);
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  // Does not repeat the value, because it may hold a secret.
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join(".") || "the whole"))].join(", ");
  throw new PublishingError(
    "internal_error",
    `The function for the app at ${name} returned an invalid value: ${fields}.`,
  );
}

/** `appFor` for one network. */
export function appFinder<App>(
  schema: z.ZodType<App>,
  name: string,
): (setting: AppSetting<App>, accountId: string) => Promise<App> {
  return (setting, accountId) => appFor(setting, { schema, accountId, name });
}
