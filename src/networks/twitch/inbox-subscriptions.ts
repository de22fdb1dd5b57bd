import { createHash, createHmac } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { HookSubscription, HookTarget } from "../contract/hooks.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";
import { endpoint, readAnswer } from "./api.ts";
import { operations } from "./errors.ts";
import { mayWhisper } from "./inbox-access.ts";
import { oauth } from "./oauth.ts";

/** The subscribed event types. https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types (2026-02) */
export const types = {
  line: "channel.chat.message",
  deleted: "channel.chat.message_delete",
  whisper: "user.whisper.message",
  /** For all users of the app; the first account subscribes to it. */
  ended: "user.authorization.revoke",
} as const;

interface Wanted {
  type: string;
  condition: Readonly<Record<string, string>>;
}

function wantedFor({ external_id: account, scopes }: ProfileFacts, appId: string): Wanted[] {
  const chat = { broadcaster_user_id: account, user_id: account };
  return [
    { type: types.line, condition: chat },
    { type: types.deleted, condition: chat },
    ...(mayWhisper({ scopes }) ? [{ type: types.whisper, condition: { user_id: account } }] : []),
    { type: types.ended, condition: { client_id: appId } },
  ];
}

/**
 * The secret that signs the app's webhooks: 64 of the 10 to 100 characters that Twitch accepts. It changes with the
 * app's own secret.
 */
export function secretFor(clientSecret: string): string {
  return createHmac("sha256", clientSecret).update("eventsub").digest("hex");
}

/**
 * The callback URL, with a hash of the signing secret. Twitch does not return the secret of a subscription, so the URL
 * shows which ones have an old secret and must be replaced.
 */
function callbackOf({ url, secret }: HookTarget): string {
  const mark = createHash("sha256").update(secretFor(secret)).digest("hex").slice(0, 16);
  return `${url}?signed=${mark}`;
}

/** https://dev.twitch.tv/docs/eventsub/manage-subscriptions (2026-09) */
const subscriptionSchema = z.object({
  id: z.string(),
  type: z.string(),
  status: z.string(),
  transport: z.object({ callback: z.string().nullish() }),
});

const subscriptionsSchema = z.object({ data: z.array(subscriptionSchema) });

type Subscription = z.infer<typeof subscriptionSchema>;

const enabled = "enabled";
const pending = "webhook_callback_verification_pending";

/** Requests with the app's own access token, as webhook subscriptions require. */
type AsApp = Pick<NetworkContext, "request"> & { headers: Readonly<Record<string, string>> };

/** Creates missing subscriptions, and replaces those that failed or have an old secret. */
export async function subscribe(context: NetworkContext, target: HookTarget): Promise<HookSubscription> {
  const account = context.profile.external_id;
  const app = await asApp(context, target);
  const callback = callbackOf(target);
  const found = await ownSubscriptions(app, account, target);
  const isGood = ({ status, transport }: Subscription): boolean =>
    transport.callback === callback && [enabled, pending].includes(status);
  for (const each of found.filter((one) => !isGood(one))) await remove(app, each);
  const good = found.filter(isGood);
  const missing = wantedFor(context.profile, target.appId).filter(
    ({ type }) => !good.some((each) => each.type === type),
  );
  for (const each of missing) await create(app, each, { callback, secret: secretFor(target.secret) });
  const isConfirmed = missing.length === 0 && good.every(({ status }) => status === enabled);
  return { state: isConfirmed ? "confirmed" : "asked" };
}

/** Keeps the subscription to revoked access, which belongs to the whole app. */
export async function unsubscribe(context: NetworkContext, target: HookTarget): Promise<void> {
  const app = await asApp(context, target);
  const found = await ownSubscriptions(app, context.profile.external_id, target);
  for (const each of found) if (each.type !== types.ended) await remove(app, each);
}

const appTokenSchema = z.object({ access_token: z.string().min(1) });

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/#client-credentials-grant-flow (2026-09) */
async function asApp({ request }: NetworkContext, { appId, secret }: HookTarget): Promise<AsApp> {
  const form = { client_id: appId, client_secret: secret, grant_type: "client_credentials" };
  const answer = await request({
    method: "POST",
    url: oauth.token,
    body: { form },
    credential: "none",
    accept: [400, 401, 403],
  });
  if (answer.status !== 200)
    throw new PublishingError(
      "unsupported",
      withRemedy(
        "Twitch rejects this service's app.",
        "Check the app's client_id and client_secret in the adapter's options.",
      ),
    );
  const { access_token } = readAnswer(appTokenSchema, answer);
  return { request, headers: { authorization: `Bearer ${access_token}`, "client-id": appId } };
}

const url = (parameters: Record<string, string> = {}): string => endpoint("eventsub/subscriptions", parameters);

/** The subscriptions with this service's URL; others of the app may have other URLs. Each request allows one filter. */
async function ownSubscriptions(app: AsApp, account: string, target: HookTarget): Promise<Subscription[]> {
  const filters: Record<string, string>[] = [{ user_id: account }, { type: types.ended }];
  const answers: NetworkResponse[] = [];
  for (const filter of filters) answers.push(await send(app, { method: "GET", url: url(filter) }));
  const found = answers.flatMap((answer) => readAnswer(subscriptionsSchema, answer).data);
  return found.filter(({ transport }) => transport.callback?.split("?")[0] === target.url);
}

async function create(
  app: AsApp,
  { type, condition }: Wanted,
  { callback, secret }: { callback: string; secret: string },
): Promise<void> {
  const json = { type, version: "1", condition: { ...condition }, transport: { method: "webhook", callback, secret } };
  // The subscription exists: another account of the service has created it at the same moment.
  await send(app, { method: "POST", url: url(), body: { json }, accept: [409] });
}

async function remove(app: AsApp, { id }: Subscription): Promise<void> {
  await send(app, { method: "DELETE", url: url({ id }), accept: [404] });
}

function send({ request, headers }: AsApp, given: Parameters<AsApp["request"]>[0]): Promise<NetworkResponse> {
  return request({ ...given, headers, operation: operations.subscription });
}
