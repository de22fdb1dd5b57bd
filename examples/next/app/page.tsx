import { headers } from "next/headers";
import { openOnce } from "../lib/social";

/** Shows curl commands to try. A real page would not show the key. */
export default async function Page() {
  // First: during a build there is no request, so this line stops the build's rendering before a service starts.
  const host = (await headers()).get("host");
  const { key, profileId } = await openOnce();
  const url = `http://${host}/social/v1/posts`;
  const post = JSON.stringify({ profile_ids: [profileId], text: "Hello from Next.js" });
  return (
    <pre>
      {`curl -i ${url} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -H 'Idempotency-Key: hello-next' -d '${post}'

Run it twice: the second response is the first post. Then:

curl ${url} -H 'Authorization: Bearer ${key}'`}
    </pre>
  );
}
