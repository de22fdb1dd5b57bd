import * as z from "zod";
import { documentedAnswer } from "../../wire/documented-object.ts";

/** Named, so that declarations of other files refer to it: one that is written out there loses its comments. */
export type InboxAccessFields = { [Kind in keyof typeof kinds.shape]: (typeof kinds.shape)[Kind] };

const kindSchema = documentedAnswer({
  /** The supported actions: none, read, or read and reply. */
  may: z.enum(["none", "read", "reply"]).describe("The supported actions: none, read, or read and reply."),
  /** Why no more is supported, and the remedy if there is one; null: replies are supported. */
  why: z
    .string()
    .nullable()
    .describe("Why no more is supported, and the remedy if there is one; null: replies are supported."),
});

const kinds = documentedAnswer({
  /** Direct messages. */
  dm: kindSchema.describe("Direct messages."),
  /** Comments under the account's posts. */
  comment: kindSchema.describe("Comments under the account's posts."),
  /** Posts that mention the account. */
  mention: kindSchema.describe("Posts that mention the account."),
});

/** What an inbox supports, by the kind of conversation. */
export const inboxAccessSchema: z.ZodObject<InboxAccessFields, z.core.$strip> = kinds;
