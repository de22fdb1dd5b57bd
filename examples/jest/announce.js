/** Your own code. It receives the service as an argument, so it needs no import. */
async function announce(social, article) {
  const profiles = await social.profiles.list({ status: "connected" });
  return social.posts.create({
    profile_ids: profiles.data.map(({ id }) => id),
    text: `${article.title} ${article.url}`,
    idempotency_key: `article-${article.id}`,
  });
}

module.exports = { announce };
