import type { ProfileEvents } from "../profiles/schema.ts";
import type { PostEvents } from "../publishing/schema.ts";

/** What each event holds, by its type. The account is the endpoint's own, and is not sent. */
type DataByType = {
  [Type in keyof (PostEvents & ProfileEvents)]: Omit<(PostEvents & ProfileEvents)[Type], "account_id">;
} & {
  /** `webhooks.test` sends it. Nothing has happened. */
  "webhook.test": { webhook_id: string; message: string };
};

/** An event of one type, as it is delivered. */
interface EventOf<Type extends keyof DataByType> {
  /** The delivery's id. A repeated delivery has the same id. */
  id: string;
  /** What has happened: `post.published`, `profile.needs_attention` … */
  type: Type;
  /** When it happened, ISO 8601. */
  created_at: string;
  /** The post or profile concerned, as it was then. */
  data: DataByType[Type];
}

/** An event, as it is delivered: `type` tells the type of `data`. Ignore types that you do not know: a later version may add some. */
export type WebhookEvent = { [Type in keyof DataByType]: EventOf<Type> }[keyof DataByType];
