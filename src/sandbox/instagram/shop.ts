import * as z from "zod";
import { ok, type SandboxAnswer } from "../exchange.ts";
import { graphPage, graphRefusal } from "../parts/graph.ts";
import { json } from "../parts/graph-fields.ts";
import type { Caller } from "./accounts.ts";

interface Product {
  product_id: string;
  product_name: string;
  retailer_id: string;
  review_status: "approved" | "rejected" | "pending" | "";
}

const catalogId = "9007199254741101";

/** The products in every account's shop. */
const products: readonly Product[] = [
  { product_id: "9007199254741201", product_name: "Rye bread", retailer_id: "RYE-1", review_status: "approved" },
  { product_id: "9007199254741203", product_name: "Bread knife", retailer_id: "KNIFE-7", review_status: "rejected" },
  { product_id: "9007199254741205", product_name: "", retailer_id: "BREAD-BOX", review_status: "" },
];

const share = z.number().min(0).max(1);

/**
 * The field `product_tags` of a container.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-media/product_tags
 * (2026-04)
 */
export const productTags = json(
  z.array(z.strictObject({ product_id: z.string(), x: share.optional(), y: share.optional() })).max(30),
);

export type ProductTags = z.infer<typeof productTags>;

/** @throws Refusal if a file of this type cannot have these tags, or the token may not tag products */
export function assertProductTags(tags: ProductTags, { isVideo, isReel }: { isVideo: boolean; isReel: boolean }): void {
  const ids = tags.map(({ product_id }) => product_id);
  if ((!isReel && tags.length > 20) || new Set(ids).size < ids.length)
    throw graphRefusal(100, "(#100) Invalid parameter: product_tags");
  for (const { x, y } of tags) {
    if (isVideo && (x !== undefined || y !== undefined))
      throw graphRefusal("100/2207035", "Product tag positions should not be specified for video media.");
    if (!isVideo && (x === undefined || y === undefined))
      throw graphRefusal("100/2207036", "Product tag positions are required for photo media.");
  }
  const taggable = products.filter(({ review_status }) => review_status !== "rejected");
  if (ids.every((id) => taggable.some(({ product_id }) => product_id === id))) return;
  throw graphRefusal("100/2207037", "We couldn't add all of your product tags.");
}

export function listCatalogs(caller: Caller, url: URL): SandboxAnswer {
  assertShop(caller);
  const catalog = {
    catalog_id: catalogId,
    catalog_name: "Bakery",
    shop_name: "Bakery",
    product_count: products.length,
  };
  return ok(graphPage([catalog], url));
}

export function searchProducts(caller: Caller, url: URL): SandboxAnswer {
  assertShop(caller);
  if (url.searchParams.get("catalog_id") !== catalogId) throw graphRefusal(100, "(#100) Invalid parameter: catalog_id");
  const words = (url.searchParams.get("q") ?? "").toLowerCase();
  const found = products.filter((each) => `${each.product_name} ${each.retailer_id}`.toLowerCase().includes(words));
  const data = found.map((each) => ({ ...each, merchant_id: "90010177253934", image_url: "", is_checkout_flow: true }));
  return ok(graphPage(data, url));
}

/** @throws Refusal if the token gives no access to the shop */
export function assertShop({ login, token }: Caller): void {
  if (login === "instagram") throw graphRefusal(100, "(#100) param product_tags is not allowed");
  const missing = ["instagram_shopping_tag_products", "catalog_management"].find(
    (name) => !token.scopes.includes(name),
  );
  if (missing !== undefined) throw graphRefusal(10, `(#10) Requires ${missing} permission`, { status: 403 });
}
