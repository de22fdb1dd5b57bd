import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";

/** The host's app at a network: one for all accounts, or found for each, as for brands of their own. */
export type AppSetting<App> = App | ((accountId: string) => App | null | Promise<App | null>);

/** What an adapter's setting `app` takes. */
export function appSetting(app: z.ZodObject): z.ZodType {
  return z.union([app, z.custom((value) => typeof value === "function")], {
    error: `Must be { ${Object.keys(app.shape).join(", ")} }, or a function that returns them for an account's id.`,
  });
}

/** The app, where the host has one for all accounts. */
export function appOfAll<App extends object>(setting: AppSetting<App> | undefined): App | undefined {
  return typeof setting === "function" ? undefined : (setting as App | undefined);
}

/** The secrets of the app of this id, where the host has it for one of these accounts; each once. */
export async function secretsOfApp<App extends { client_id: string; client_secret: string }>(
  setting: AppSetting<App>,
  {
    schema,
    appId,
    accountIds,
  }: { schema: z.ZodType<App>; appId: string; accountIds: () => Promise<readonly string[]> },
): Promise<string[]> {
  const apps = typeof setting === "function" ? await appsOf(setting, schema, await accountIds()) : [setting];
  return [...new Set(apps.filter(({ client_id }) => client_id === appId).map(({ client_secret }) => client_secret))];
}

type FindApp<App> = Extract<AppSetting<App>, (accountId: string) => unknown>;

/** What the host's function returns for these accounts, where it is an app. */
async function appsOf<App>(find: FindApp<App>, schema: z.ZodType<App>, accountIds: readonly string[]): Promise<App[]> {
  const found = await Promise.all(accountIds.map(async (id) => find(id)));
  return found.flatMap((app) => schema.safeParse(app).data ?? []);
}

/**
 * The app that an account's logins go by.
 *
 * @throws PublishingError `unsupported` where the account has none, `internal_error` for what the host's function returned
 */
export async function appFor<App>(
  setting: AppSetting<App>,
  { schema, accountId, name }: { schema: z.ZodType<App>; accountId: string; name: string },
): Promise<App> {
  if (typeof setting !== "function") return setting;
  const found = await (setting as (accountId: string) => App | null | Promise<App | null>)(accountId);
  if (found === null) throw new PublishingError("unsupported", `This account has no app at ${name}.`);
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  // What came is not repeated: a secret may be in it.
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join(".") || "the whole"))].join(", ");
  throw new PublishingError(
    "internal_error",
    `The function for the app at ${name} returned an invalid value: ${fields}.`,
  );
}

/** How a network's apps are found: `appFor`, with what is the same for all of its accounts. */
export function appFinder<App>(
  schema: z.ZodType<App>,
  name: string,
): (setting: AppSetting<App>, accountId: string) => Promise<App> {
  return (setting, accountId) => appFor(setting, { schema, accountId, name });
}
