/** Code of your own: it is handed the service, and so needs no import of it. */
async function announce(social, article) {
  const profiles = await social.profiles.list({ status: "connected" });
  return social.posts.create({
    profile_ids: profiles.data.map(({ id }) => id),
    text: `${article.title} ${article.url}`,
    idempotency_key: `article-${article.id}`,
  });
}

module.exports = { announce };
