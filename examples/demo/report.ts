import type { Post } from "postrider";
import type { SandboxPost } from "postrider/sandbox";
import { blank, shortened, step, table } from "./screen.ts";

/** The outcome on each network. */
export function showOutcome(post: Post): void {
  const rows = post.targets.map((target) => [
    target.network,
    target.status,
    String(target.post_ids.length),
    target.published_at === null ? "" : String(Date.parse(target.published_at) - Date.parse(post.created_at)),
    target.post_ids.map((id) => `…${id.slice(-5)}`).join(" "),
    target.url ?? target.error?.message ?? "",
  ]);
  table([["network", "status", "parts", "ms", "ids", "link"], ...rows]);
}

/** What a reader of the network sees. */
export function showPosts(network: string, posts: readonly SandboxPost[]): void {
  posts.forEach((post, index) => {
    step(index === 0 ? network : "", `${index + 1}/${posts.length}  ${shortened(post.text, 72)}`);
    for (const alt of post.alt) step("", `     [picture: ${alt}]`);
  });
  blank();
}
