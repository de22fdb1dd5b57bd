import { headers } from "next/headers";
import { openOnce } from "../lib/social";

/** The lines to type. A page of your own would not show the key. */
export default async function Page() {
  // First, for it ends what a build makes of this page: that has no request, and must start no service.
  const host = (await headers()).get("host");
  const { key, profileId } = await openOnce();
  const url = `http://${host}/social/v1/posts`;
  const post = JSON.stringify({ profile_ids: [profileId], text: "Hello from Next.js" });
  return (
    <pre>
      {`curl -i ${url} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -H 'Idempotency-Key: hello-next' -d '${post}'

Type it twice: the second time it answers with the first post. Then:

curl ${url} -H 'Authorization: Bearer ${key}'`}
    </pre>
  );
}
