import type { Post } from "postrider";
import type { SandboxPost } from "postrider/sandbox";
import { blank, line, marked, shortened, step, whoLength } from "./screen.ts";

/** The outcome on each network. */
export function showOutcome(post: Post): void {
  for (const { network, status, post_ids, published_at, url, error } of post.targets) {
    const parts = `${post_ids.length} ${post_ids.length === 1 ? "part" : "parts"}`;
    const time = published_at === null ? "" : ` in ${Date.parse(published_at) - Date.parse(post.created_at)} ms`;
    line(`${network.padEnd(whoLength)}${marked(status === "published", status)}, ${parts}${time}`);
    line(`    ${url ?? error?.message ?? ""}`.trimEnd());
  }
  blank();
}

/** What a reader of the network sees. */
export function showPosts(network: string, posts: readonly SandboxPost[]): void {
  posts.forEach(({ text, alt }, index) => {
    step(index === 0 ? network : "", `${index + 1}/${posts.length}  ${shortened(text, 70)}`);
    for (const words of alt) step("", `     [picture: ${words}]`);
  });
  blank();
}
