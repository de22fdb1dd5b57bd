import * as z from "zod";
import { attachedSchema } from "./inbox-attachments.ts";

/** https://docs.joinmastodon.org/entities/Account/ (2026-07) */
const accountSchema = z.object({
  id: z.string().min(1),
  acct: z.string().nullish(),
  display_name: z.string().nullish(),
  avatar: z.string().nullish(),
  url: z.string().nullish(),
});

/** A status with the fields for the inbox. https://docs.joinmastodon.org/entities/Status/ (2026-07) */
export const inboxStatusSchema = z
  .object({
    id: z.string().min(1),
    uri: z.string().nullish(),
    url: z.string().nullish(),
    created_at: z.string(),
    edited_at: z.string().nullish(),
    account: accountSchema,
    content: z.string().nullish(),
    spoiler_text: z.string().nullish(),
    visibility: z.string().nullish(),
    in_reply_to_id: z.string().nullish(),
    in_reply_to_account_id: z.string().nullish(),
    ...attachedSchema.shape,
    mentions: z.array(z.object({ id: z.string().nullish(), acct: z.string().nullish() })).nullish(),
    reblog: z.unknown().optional(),
  })
  .transform((status) => ({ ...status, time: Date.parse(status.created_at) }))
  .refine(({ time }) => !Number.isNaN(time));

export type InboxStatus = z.infer<typeof inboxStatusSchema>;

/** https://docs.joinmastodon.org/entities/Notification/ (2026-07) */
export const notificationSchema = z
  .object({
    id: z.string().min(1),
    type: z.string(),
    created_at: z.string(),
    status: z.unknown().optional(),
  })
  .transform((notification) => ({ ...notification, time: Date.parse(notification.created_at) }));

export type Notification = z.infer<typeof notificationSchema>;
