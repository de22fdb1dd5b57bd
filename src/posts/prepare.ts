import type { ParsedCreatePost } from "../planning/schema.ts";
import { toPost } from "../publishing/read.ts";
import type { Post } from "../publishing/schema.ts";
import { SocialError } from "../wire/errors.ts";
import { type CreateContext, findByKey, newPost } from "./create.ts";
import { intentionOf, planFor } from "./make.ts";
import type { PostPorts } from "./ports.ts";
import { readWhole } from "./wait.ts";

/** A scheduled post or a draft that waits for its host's transaction. */
export interface PreparedPost {
  /** The post as it will be. */
  post: Post;
  /**
   * Stores it inside a transaction that the host has open: the post is there
   * exactly if what else that transaction writes is. On SQLite at once, on
   * Postgres when the promise resolves. Calling it twice stores it once.
   *
   * @param transaction on SQLite the open database; on Postgres the client in its transaction
   * @throws StorageConflict when the idempotency key was used or a hosted file was deleted meanwhile: roll back
   */
  save(transaction: unknown): void | Promise<void>;
}

/**
 * Does all the reading and checking of `create`, and writes nothing.
 *
 * @throws SocialError `unsupported` where the storage has no transactions; `invalid_request` for a post that is to go out at once
 */
export async function preparePost(
  ports: PostPorts,
  body: ParsedCreatePost,
  context: CreateContext,
): Promise<PreparedPost> {
  const { storage } = ports;
  if (storage.writeWithin === undefined) {
    throw new SocialError("unsupported", "This storage has no transactions; use SQLite or Postgres, or create.");
  }
  const earlier = await findByKey(ports, context.accountId, body.idempotency_key);
  if (earlier !== null) return { post: await readWhole(ports, earlier), save: () => undefined };
  const now = await storage.now();
  const intention = intentionOf(body, now);
  if (intention === "publishing") throw atOnce();
  const planned = await planFor(ports, context.accountId, { body, intention });
  const { post, targets, operations } = newPost(ports, body, context, { planned, intention, now });
  let isSaved = false;
  return {
    post: toPost(post, targets),
    save(transaction) {
      if (isSaved) return;
      const written = storage.writeWithin?.(transaction, operations);
      isSaved = true;
      // What failed may be saved again, in another transaction.
      written?.catch(() => {
        isSaved = false;
      });
      return written;
    },
  };
}

/** What goes out cannot be rolled back. */
function atOnce(): SocialError {
  const message =
    "A post in a transaction must be a draft or scheduled at least a minute ahead; publish others with create.";
  return new SocialError("invalid_request", "The request is not valid.", {
    details: [{ field: "scheduled_at", code: "invalid_request", message }],
  });
}
