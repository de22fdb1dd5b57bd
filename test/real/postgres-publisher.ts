/** One process on a Postgres: works off what is due, and makes the posts that it is sent. It knows nothing of being killed. */
import { Pool } from "pg";
import type { CreatePost } from "../../src/posts/schema.ts";
import { openPostgresService, type PostgresWorld } from "./postgres-service.ts";

const world = JSON.parse(process.env.POSTRIDER_WORLD ?? "") as PostgresWorld;
const pool = new Pool({ connectionString: world.postgresUrl, max: 5 });
pool.on("error", () => {});
const social = openPostgresService(world, pool);
process.on("message", (body: CreatePost) => {
  social.posts.create(body).then(
    () => process.send?.({ made: body.idempotency_key }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
await social.start();
process.send?.({ ready: true });
