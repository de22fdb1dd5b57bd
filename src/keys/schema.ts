import { z } from "zod";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { pageSchema } from "../wire/pagination.ts";

/** What a key may do; `publish` includes media. */
export const scopes = ["read", "publish", "inbox", "webhooks", "profiles"] as const;
export type Scope = (typeof scopes)[number];

export const createKeySchema = documentedObject({
  /** Whose resources the key opens; without tenants: the only account. */
  account_id: z
    .string()
    .min(1)
    .optional()
    .describe("Whose resources the key opens; without tenants: the only account."),
  /** What it may do. Default: everything. */
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .default([...scopes])
    .describe("What it may do. Default: everything."),
});

/** What `social.keys.create` takes. */
export type CreateKey = z.input<typeof createKeySchema>;

export const listKeysSchema = pageSchema.extend({
  /** Only the keys of this account. */
  account_id: z.string().min(1).optional().describe("Only the keys of this account."),
});

export type ListKeys = z.input<typeof listKeysSchema>;

export const keySchema = documentedAnswer({
  id: z.string(),
  account_id: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The last four characters of the key, to tell two apart. */
  last_four: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
});

/** An API key, without the key itself. */
export type Key = z.infer<typeof keySchema>;
