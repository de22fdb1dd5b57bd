import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { HookTarget } from "../contract/hooks.ts";
import type { InboxContext } from "../contract/inbox.ts";
import type { NetworkContext } from "../contract/request.ts";
import { verifyToken } from "../shared/hook-forms/meta.ts";
import { type Api, getAnswer, readAnswer } from "./api.ts";
import { numericId } from "./inbox-ids.ts";

/** https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09), https://developers.facebook.com/docs/pages-api/webhooks-for-pages */
const fields = [
  ...["feed", "mention", "messages", "message_echoes", "message_edits", "message_reactions"],
  ...["message_deliveries", "message_reads", "messaging_postbacks", "messaging_referrals", "standby"],
];

const pageSubscriptionsSchema = z.object({
  data: z.array(z.object({ id: numericId, subscribed_fields: z.array(z.string()).nullish() })),
});

/**
 * An app has one subscription per Page. All services that use the app share it, and so does the Page's Instagram
 * account. It is not documented whether a new request keeps earlier fields, so all fields are named again.
 * https://developers.facebook.com/docs/graph-api/reference/page/subscribed_apps (2026-09)
 */
export async function subscribePage(context: InboxContext, api: Api, { appId }: HookTarget): Promise<void> {
  const url = subscribedApps(api, context);
  const { data } = await getAnswer(pageSubscriptionsSchema, context, url);
  const subscribed = data.find(({ id }) => id === appId)?.subscribed_fields ?? [];
  const form = { subscribed_fields: together(subscribed, fields) };
  await context.request({ method: "POST", url, body: { form } });
}

function together(...lists: readonly (readonly string[])[]): string {
  return [...new Set(lists.flat())].join(",");
}

export async function unsubscribePage(context: NetworkContext, api: Api): Promise<void> {
  await context.request({ method: "DELETE", url: subscribedApps(api, context) });
}

const instagramSchema = z.object({ instagram_business_account: z.object({ id: numericId }).nullish() });

/**
 * The Page's Instagram account, whose events the Page's subscription delivers.
 * https://developers.facebook.com/docs/graph-api/reference/page (2026-09)
 */
export async function instagramOf(
  context: NetworkContext,
  api: Api,
): Promise<{ network: "instagram"; external_id: string }[]> {
  const url = api.endpoint([context.profile.external_id], { fields: "instagram_business_account" });
  const { instagram_business_account: account } = await getAnswer(instagramSchema, context, url);
  return account == null ? [] : [{ network: "instagram", external_id: account.id }];
}

function subscribedApps(api: Api, { profile }: NetworkContext): string {
  return api.endpoint([profile.external_id, "subscribed_apps"]);
}

const subscriptionsSchema = z.object({
  data: z.array(
    z.object({
      object: z.string(),
      callback_url: z.string().nullish(),
      active: z.boolean().nullish(),
      fields: z.array(z.object({ name: z.string() })).nullish(),
    }),
  ),
});

/**
 * Sets the app's callback URL, of which an app has one. Leaves another URL in place, because another service of the
 * host may depend on it.
 * https://developers.facebook.com/docs/graph-api/reference/app/subscriptions (2026-09)
 *
 * @throws PublishingError `unsupported` if another URL is set
 */
export async function subscribeApp(
  context: InboxContext,
  api: Api,
  { url: callback_url, appId, secret }: HookTarget,
): Promise<void> {
  const url = api.endpoint([appId, "subscriptions"]);
  const asApp = { url, headers: { authorization: `Bearer ${appId}|${secret}` } };
  const { data } = readAnswer(subscriptionsSchema, await context.request({ method: "GET", ...asApp }));
  const found = data.find(({ object }) => object === "page");
  if (found?.callback_url != null && found.callback_url !== callback_url)
    throw new PublishingError(
      "unsupported",
      withRemedy(
        "This service's app at Facebook sends events of Pages to another URL.",
        `The URL is on ${new URL(found.callback_url).host}. Set the app's callback URL to ${callback_url}, or remove the present one, at developers.facebook.com.`,
      ),
    );
  const names = (found?.fields ?? []).map(({ name }) => name);
  if (found?.active === true && fields.every((name) => names.includes(name))) return;
  const form = {
    object: "page",
    callback_url,
    verify_token: verifyToken(secret),
    include_values: "true",
    fields: together(names, fields),
  };
  await context.request({ method: "POST", ...asApp, body: { form } });
}
