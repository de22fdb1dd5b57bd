import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";

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

/** The secrets of the app with this id, if one of these accounts uses it. Without duplicates. */
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

/** The valid apps among the results of the host's function for these accounts. */
async function appsOf<App>(find: FindApp<App>, schema: z.ZodType<App>, accountIds: readonly string[]): Promise<App[]> {
  const found = await Promise.all(accountIds.map(async (id) => find(id)));
  return found.flatMap((app) => schema.safeParse(app).data ?? []);
}

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
  const found = await (setting as (accountId: string) => App | null | Promise<App | null>)(accountId);
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
