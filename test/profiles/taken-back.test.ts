import { expect, it } from "vitest";
import { scenes, withNeeds } from "../networks/scenes.ts";
import { createTestService } from "../support/service.ts";

const takenBack = scenes.flatMap(({ network, accounts: [kind], simulation: { login } = {} }) =>
  login === undefined || kind === undefined ? [] : [{ network, kind, login }],
);

it.each(takenBack)(
  "a connection that its owner revokes at $network emits one event, and works when it is granted again",
  async (each) => {
    const { network, kind, login } = each;
    const { social, sandbox, clock } = createTestService();
    const connection = kind.connect(sandbox, "alice");
    const { id, external_id: externalId } = await clock.run(() => social.profiles.connect(connection));
    const news: string[] = [];
    social.on("profile.needs_attention", ({ profile }) => news.push(profile.id));
    login.revoke(sandbox, { externalId, connection });
    const body = { profile_ids: [id], text: "Hello", networks: withNeeds([network], sandbox) };
    const refused = await clock.run(() => social.posts.create(body));
    expect(refused.targets).toMatchObject([{ status: "failed", error: { code: "reauthentication_required" } }]);
    expect([await social.profiles.get(id), news]).toMatchObject([{ status: "needs_attention" }, [id]]);
    const again = login.allowAgain(sandbox, { externalId, connection });
    expect(await clock.run(() => social.profiles.connect(again))).toMatchObject({ id, status: "connected" });
    const post = await clock.run(() => social.posts.retry(refused.id));
    for (let sweep = 0; sweep < 60 && (await social.posts.get(post.id)).status === "publishing"; sweep++) {
      await clock.advance(10_000);
      await clock.run(() => social.runDue());
    }
    expect((await social.posts.get(post.id)).status).toBe("published");
    expect(news).toEqual([id]);
  },
);
