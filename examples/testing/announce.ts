import type { Post, SocialService } from "postrider";

/** Your own code. It receives the service as an argument. */
export async function announce(social: SocialService, article: { id: number; title: string }): Promise<Post> {
  const profiles = await social.profiles.list({ status: "connected" });
  return social.posts.create({
    profile_ids: profiles.data.map(({ id }) => id),
    text: article.title,
    idempotency_key: `article-${article.id}`,
  });
}
