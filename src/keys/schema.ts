import * as z from "zod";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type PageQuery, pageSchema } from "../wire/pagination.ts";

/** What a key may do; `publish` includes media. */
export const scopes = ["read", "publish", "inbox", "webhooks", "profiles"] as const;
export type Scope = (typeof scopes)[number];

export const createKeySchema = documentedObject({
  /** The account whose resources the key can access; without tenants, the only account. */
  account_id: z
    .string()
    .min(1)
    .optional()
    .describe("The account whose resources the key can access; without tenants, the only account."),
  /** The key's scopes. Default: all scopes. */
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .default([...scopes])
    .describe("The key's scopes. Default: all scopes."),
});

/** What `social.keys.create` takes. */
export type CreateKey = z.input<typeof createKeySchema>;

const keyFilters = documentedObject({
  /** Only keys of this account. */
  account_id: z.string().min(1).optional().describe("Only keys of this account."),
});
export const listKeysSchema = pageSchema.extend(keyFilters.shape);

/** What `social.keys.list` takes. */
export type ListKeys = PageQuery & z.input<typeof keyFilters>;

export const keySchema = documentedAnswer({
  /** The key's id. */
  id: z.string().describe("The key's id."),
  /** The account whose resources it can access. */
  account_id: z.string().describe("The account whose resources it can access."),
  /** The key's scopes. */
  scopes: z.array(z.enum(scopes)).describe("The key's scopes."),
  /** The last four characters of the key, to tell two apart. */
  last_four: z.string().describe("The last four characters of the key, to tell two apart."),
  /** When it was made. */
  created_at: z.string().describe("When it was made."),
  /** When it was revoked; null: it is valid. */
  revoked_at: z.string().nullable().describe("When it was revoked; null: it is valid."),
});

/** An API key, without the key itself. */
export type Key = z.infer<typeof keySchema>;

/** An API key as it was made: the only time that the key itself is shown. */
export interface CreatedKey extends Key {
  /** What callers send as `Authorization: Bearer …`. Shown this once, and stored nowhere. */
  key: string;
}
