import type { CollectionName } from "../storage/schema.ts";
import type { Operation, Storage } from "../storage/storage.ts";

type Deletion = Extract<Operation, { kind: "delete" }>;

/** The deletions to write with those of posts: everything that belongs to them. */
export async function deletionsWithPosts(storage: Storage, postIds: readonly string[]): Promise<Deletion[]> {
  const ofPosts = { post_id: { in: postIds } };
  const targets = await deletionsOf(storage, "targets", ofPosts);
  const subjects = { subject_id: { in: targets.map(({ id }) => id) } };
  return [
    ...(await deletionsOf(storage, "intents", subjects)),
    ...(await deletionsOf(storage, "publications", subjects)),
    ...(await deletionsOf(storage, "media_uses", ofPosts)),
    ...targets,
  ];
}

async function deletionsOf(
  storage: Storage,
  collection: CollectionName,
  where: Record<string, { in: readonly string[] }>,
): Promise<Deletion[]> {
  const { rows } = await storage.find(collection, { where, isCounted: false });
  return rows.map(({ id }) => ({ kind: "delete", collection, id }));
}
