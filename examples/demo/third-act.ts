import { randomUUID } from "node:crypto";
import type { Sandbox } from "postrider/sandbox";
import type { Answer, Caller } from "./caller.ts";
import { type Scene, sceneOf } from "./networks.ts";
import { serveRest } from "./rest-server.ts";
import { blank, headline, line, marked, quote, say } from "./screen.ts";
import type { Stage } from "./stage.ts";

/** The REST surface in an Express app, asked over a socket. True when every answer is as it should be. */
export async function thirdAct({ social, sandbox, wire }: Stage): Promise<boolean> {
  headline("3. The same, over HTTP");
  wire.listen(() => {});
  const { call, close } = await serveRest(social);
  say(
    "An Express app on loopback, with the REST surface mounted at /social. What a client with an API key sends and " +
      "what comes back:",
  );
  try {
    return await ask(call, sandbox, sceneOf(social.networks.list()[0]?.network ?? ""));
  } finally {
    close();
  }
}

async function ask(call: Caller, sandbox: Sandbox, scene: Scene): Promise<boolean> {
  const connection = scene.accounts[0].connect(sandbox, "reader");
  const connected = await call("POST", "/v1/profiles/connect", { json: connection });
  const [profile] = (connected.data as { profiles: { id: string }[] }).profiles;
  const { posts } = sandbox[scene.network];
  const before = posts().length;
  const body = { profile_ids: [profile?.id], text: "The fox's plate can be seen on Fridays." };
  const idempotencyKey = randomUUID();
  const answers = [
    connected,
    await call("POST", "/v1/posts", { json: body, idempotencyKey }),
    await call("POST", "/v1/posts", { json: body, idempotencyKey }),
    await call("POST", "/v1/posts", { json: { titel: "The fox", ...body } }),
    await call("GET", `/v1/posts?network=${scene.network}&limit=1`),
    await call("GET", "/v1/posts/post_of_somebody_else"),
  ];
  const { requests, last } = await untilLimited(() =>
    call("POST", "/v1/posts", { json: body, idempotencyKey, isQuiet: true }),
  );
  quote(">", `${requests} more like the second`);
  quote("<", `${requests - 1} times 200, then ${last.status}`, last.remark);
  blank();
  const published = posts().length - before;
  const times = published === 1 ? "once" : `${published} times`;
  const counted = `The request for that post was sent ${requests + 2} times. The network shows it ${times}.`;
  line(marked(published === 1, counted));
  blank();
  const statuses = [...answers, last].map(({ status }) => status).join(" ");
  return statuses === "201 201 200 400 200 404 429" && published === 1;
}

/** More than a key may publish in a minute. */
const maxRequests = 200;

async function untilLimited(request: () => Promise<Answer>): Promise<{ requests: number; last: Answer }> {
  for (let requests = 1; ; requests++) {
    const last = await request();
    if (last.status !== 200 || requests === maxRequests) return { requests, last };
  }
}
