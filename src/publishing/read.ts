import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { PostRow, TargetRow } from "./rows.ts";
import { type Post, postSchema, targetSchema } from "./schema.ts";

const postFields = Object.keys(postSchema.shape);
const targetFields = Object.keys(targetSchema.shape);

/** A post as the wire shows it: the fields of its schema, which rows hold as they were parsed. */
export function toPost(post: PostRow, targets: readonly TargetRow[]): Post {
  const ordered = [...targets].sort((one, other) => one.position - other.position);
  const shown = pick(post, postFields);
  return { ...shown, targets: ordered.map(showTarget) } as Post;
}

function showTarget(target: TargetRow): object {
  const fields = target.warnings?.length === 0 ? targetFields.filter((field) => field !== "warnings") : targetFields;
  return pick(target, fields);
}

function pick(row: object, fields: readonly string[]): object {
  const shown: Record<string, unknown> = {};
  for (const field of fields) shown[field] = (row as Record<string, unknown>)[field];
  return shown;
}

export async function readPost(storage: Storage, id: string): Promise<PostRow> {
  const row = await storage.get("posts", id);
  if (row === null) throw new Error(`Post ${id} no longer exists in the store.`);
  return fromRow(row);
}

export async function readTargets(storage: Storage, ...postIds: string[]): Promise<TargetRow[]> {
  const found = await storage.find("targets", {
    where: { post_id: { in: postIds } },
    order: { column: "position", direction: "asc" },
    isCounted: false,
  });
  return found.rows.map((row) => fromRow<TargetRow>(row));
}
