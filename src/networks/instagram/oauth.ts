import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import type { LongTokens } from "../shared/meta/long-token.ts";
import { facebookLogin } from "../shared/meta/person.ts";
import { type OAuthTable, oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, type ScopesByPurpose, scopesFor } from "../shared/scopes.ts";
import type { Flavour } from "./known.ts";

const wrappedSchema = z.object({ data: z.tuple([z.unknown()]) });
const refusalSchema = z.object({ error_message: z.string() });

/**
 * Instagram Login. The app has an id and a secret of its own there, which are not the Meta app's. Documents wrap the
 * tokens in a list, and live answers do not.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login (2026-03)
 */
const instagramLogin: OAuthTable = {
  name: "Instagram",
  authorize: "https://www.instagram.com/oauth/authorize",
  token: "https://api.instagram.com/oauth/access_token",
  clientAuth: "form",
  pkce: false,
  scopeSeparator: ",",
  tokensIn: (body) => wrappedSchema.safeParse(body).data?.data[0] ?? body,
  refusesApp: (body) => /platform app|client.?secret/i.test(refusalSchema.safeParse(body).data?.error_message ?? ""),
};

export const longTokens: LongTokens = {
  name: "Instagram",
  exchange: { url: "https://graph.instagram.com/access_token", grant_type: "ig_exchange_token" },
  renew: { url: "https://graph.instagram.com/refresh_access_token", grant_type: "ig_refresh_token" },
};

export function oauthOf(flavour: Flavour, version: string): OAuthTable {
  return flavour === "instagram" ? instagramLogin : facebookLogin(version);
}

const behindPages = ["instagram_basic", "pages_show_list", "pages_read_engagement", "business_management"];

/**
 * A first comment takes the right to comments.
 * https://developers.facebook.com/docs/instagram-platform/overview (2026-09)
 */
const scopes: Readonly<Record<Flavour, ScopesByPurpose>> = {
  instagram: {
    publish: ["instagram_business_basic", "instagram_business_content_publish", "instagram_business_manage_comments"],
    inbox: ["instagram_business_basic", "instagram_business_manage_comments", "instagram_business_manage_messages"],
  },
  facebook: {
    publish: [...behindPages, "instagram_content_publish", "instagram_manage_comments"],
    inbox: [...behindPages, "instagram_manage_comments", "instagram_manage_messages", "pages_manage_metadata"],
  },
};

/** What tagging products takes besides, with Facebook's login. https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-facebook-login/product-tagging (2026-04) */
export const productTagScope = "instagram_shopping_tag_products";

/** Scopes that product tags need: one of the last two where somebody manages the Page by a role in a business. Same source. */
const furtherScopes = [productTagScope, "catalog_management", "ads_read", "ads_management"] as const;

/** What a login of Facebook's may be asked for besides. */
export type FurtherScope = (typeof furtherScopes)[number];

export type ScopesByLogin = Readonly<Record<Flavour, readonly string[]>>;

/** What each login is asked for. */
export function wantedScopes(purposes: readonly Purpose[], further: readonly FurtherScope[]): ScopesByLogin {
  return {
    instagram: scopesFor(scopes.instagram, purposes),
    facebook: [...scopesFor(scopes.facebook, purposes), ...further],
  };
}

export const furtherScopesSetting = z.array(z.enum(furtherScopes), {
  error: `Must be a list of ${furtherScopes.join(", ")}.`,
});

export const appSchema = z.strictObject({ instagram: oauthAppSchema.optional(), facebook: oauthAppSchema.optional() });

/** The host's app at developers.facebook.com: what it has for each login. */
export interface InstagramApp {
  /** Instagram → API setup with Instagram login → Business login settings: the Instagram app's id and secret. */
  instagram?: { client_id: string; client_secret: string } | undefined;
  /** App settings → Basic: the Meta app's id and secret, for accounts behind Facebook Pages. */
  facebook?: { client_id: string; client_secret: string } | undefined;
}

/** One app for all accounts, or one found for each. */
export type InstagramAppSetting = AppSetting<InstagramApp>;

export const findApp = appFinder<InstagramApp>(appSchema, "Instagram");
