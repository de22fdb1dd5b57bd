import type { ProfileEvents } from "../profiles/schema.ts";
import type { PostEvents } from "../publishing/schema.ts";

/** The data of each event, by its type. The account is the endpoint's own, and is not sent. */
type DataByType = {
  [Type in keyof (PostEvents & ProfileEvents)]: Omit<(PostEvents & ProfileEvents)[Type], "account_id">;
} & {
  /** Sent by `webhooks.test`. No change has occurred. */
  "webhook.test": { webhook_id: string; message: string };
};

/** An event of one type, as delivered. */
interface EventOf<Type extends keyof DataByType> {
  /** The delivery's id. A repeated delivery has the same id. */
  id: string;
  /** The type: `post.published`, `profile.needs_attention` … */
  type: Type;
  /** When the event occurred, ISO 8601. */
  created_at: string;
  /** The post or profile, as it was at that time. */
  data: DataByType[Type];
}

/** An event, as delivered: `type` determines the type of `data`. Ignore unknown types: a later version may add some. */
export type WebhookEvent = { [Type in keyof DataByType]: EventOf<Type> }[keyof DataByType];
