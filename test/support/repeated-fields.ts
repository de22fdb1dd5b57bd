import type { Row, Storage } from "../../src/storage/storage.ts";
import type { Finding } from "./verdict.ts";

/** Fields that a post and its targets repeat of each other, so that lists are read off one index. They must agree. */
export function disagreementIn(post: Row, targets: readonly Row[]): string | null {
  const networks = [...new Set(targets.map(({ network }) => String(network)))].sort().join(",");
  if (post.target_networks !== networks) return `${post.id} lists ${post.target_networks}, and its targets ${networks}`;
  const stale = targets.find(({ post_status }) => post_status !== post.status);
  return stale === undefined ? null : `${post.id} is ${post.status}, and ${stale.id} says ${stale.post_status}`;
}

/** Lists with a filter would show other posts than lists without one. */
export async function judgeRepeatedFields(storage: Pick<Storage, "find">): Promise<Finding[]> {
  const [posts, targets] = await Promise.all(
    (["posts", "targets"] as const).map(async (collection) => (await storage.find(collection, { where: {} })).rows),
  );
  return (posts ?? []).flatMap((post): Finding[] => {
    const own = (targets ?? []).filter(({ post_id }) => post_id === post.id);
    const message = disagreementIn(post, own);
    return message === null ? [] : [{ what: "untrue", message }];
  });
}
