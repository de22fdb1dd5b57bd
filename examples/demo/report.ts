import type { Post } from "postrider";
import type { SandboxPost } from "postrider/sandbox";
import { blank, shortened, step, table } from "./screen.ts";

/** The outcome on each network. */
export function showOutcome(post: Post): void {
  const rows = post.targets.map(({ network, status, post_ids, published_at, url, error }) => [
    network,
    status,
    String(post_ids.length),
    published_at === null ? "" : String(Date.parse(published_at) - Date.parse(post.created_at)),
    post_ids.map((id) => `…${id.slice(-5)}`).join(" "),
    url ?? error?.message ?? "",
  ]);
  table([["network", "status", "parts", "ms", "ids", "link"], ...rows]);
}

/** What a reader of the network sees. */
export function showPosts(network: string, posts: readonly SandboxPost[]): void {
  posts.forEach(({ text, alt }, index) => {
    step(index === 0 ? network : "", `${index + 1}/${posts.length}  ${shortened(text, 76)}`);
    for (const words of alt) step("", `     [picture: ${words}]`);
  });
  blank();
}
