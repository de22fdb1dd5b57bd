import { describe, expect, it } from "vitest";
import type { Part } from "../../../src/networks/contract/plan.ts";
import type { LinkedinOptions } from "../../../src/networks/linkedin/options.ts";
import { png } from "../../media/samples.ts";
import {
  connectedMember,
  connectedOrganization,
  type Desk,
  fileOn,
  type Kept,
  linkedinBench,
  linkOn,
  organizationOn,
  part,
  pictures,
  publish,
  stageOnce,
} from "./bench.ts";

describe("what is sent", () => {
  it("shows all of a text, whatever stands in it", async () => {
    const desk = await connectedOrganization();
    const text = "#Bread (50 % off) @home *and* [more] {or} <less> | a_b ~c\\d";
    const { id, url } = await publish(desk, part({ text }));
    expect(desk.bench.network.posts()).toMatchObject([{ id, text, url }]);
    expect(id).toMatch(/^urn:li:share:\d{19}$/);
  });

  it("says who sees it, where it is shown, and whether it can be shared on", async () => {
    const desk = await connectedOrganization();
    const options = { visibility: "LOGGED_IN", feed_distribution: "NONE", disable_reshares: true } as const;
    const { id } = await publish(desk, part({ options }));
    expect(desk.bench.network.detailsOf(id ?? "").given).toMatchObject({
      visibility: "LOGGED_IN",
      distribution: { feedDistribution: "NONE" },
      isReshareDisabledByAuthor: true,
    });
  });

  it("is a card with its picture, which LinkedIn would not read from the page", async () => {
    const desk = await connectedOrganization();
    const link = linkOn(desk.bench);
    const { id } = await publish(desk, part({ link }));
    expect(desk.bench.network.detailsOf(id ?? "").given.content).toEqual({
      article: {
        source: link.url,
        title: "A page",
        description: "What it is about",
        thumbnail: expect.stringMatching(/^urn:li:image:/),
      },
    });
  });

  it("is a card without a picture where that is none", async () => {
    const desk = await connectedOrganization();
    const link = { ...linkOn(desk.bench), description: null };
    desk.bench.files.set(String(link.image_url), new TextEncoder().encode("<svg/>"));
    const { id } = await publish(desk, part({ link }));
    expect(desk.bench.network.detailsOf(id ?? "").given.content).toEqual({
      article: { source: link.url, title: "A page" },
    });
  });

  it("is up to twenty pictures in order, with their words", async () => {
    const desk = await connectedOrganization();
    const { id } = await publish(desk, part({ media: pictures(desk.bench, 20) }));
    const { files } = desk.bench.network.detailsOf(id ?? "");
    expect(files.map(({ alt }) => alt)).toEqual(Array.from({ length: 20 }, (_, index) => `picture ${index}`));
  });
});

describe("a picture's upload", () => {
  it("goes to LinkedIn's own address in one piece, with the token, and is owned by who posts", async () => {
    const desk = await connectedOrganization();
    await publish(desk, part({ media: pictures(desk.bench, 1) }));
    const { seen } = desk.bench;
    const [start] = seen.filter(({ operation }) => operation === "initializeImage");
    expect(JSON.parse(new TextDecoder().decode(start?.bytes))).toEqual({
      initializeUploadRequest: { owner: desk.connected.profile.external_id },
    });
    const [sent] = seen.filter(({ operation }) => operation === "uploadFile");
    expect(sent?.url.hostname).toBe("www.linkedin.com");
    expect(sent?.headers.get("authorization")).toMatch(/^Bearer access-/);
    expect(sent?.headers.get("content-type")).toBe("image/png");
    expect(sent?.bytes).toEqual(png(8, 8));
  });

  it("is waited for until the organisation is told that it is ready", async () => {
    const desk = await connectedOrganization();
    desk.bench.network.processMediaFor(30);
    const kept: Kept = {};
    const given = part({ media: pictures(desk.bench, 2) });
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    await desk.bench.clock.advance(31_000);
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
    expect(desk.bench.seen.filter(({ operation }) => operation === "uploadFile")).toHaveLength(2);
  });

  it("waits a round where a member is not told, and asks nobody", async () => {
    const desk = await connectedMember();
    const kept: Kept = {};
    const given = part({ media: pictures(desk.bench, 1) });
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
    expect(desk.bench.seen.map(({ operation }) => operation)).not.toContain("statusImage");
  });

  it("ends the post where LinkedIn cannot use it", async () => {
    const desk = await connectedOrganization();
    desk.bench.network.failNextMedia();
    const error = await stageOnce(desk, part({ media: pictures(desk.bench, 1) }));
    expect(error).toMatchObject({ code: "media_error" });
  });

  it("begins anew when its address has run out before it was used", async () => {
    const desk = await connectedOrganization();
    const kept: Kept = {};
    const given = part({ media: pictures(desk.bench, 1) });
    desk.bench.network.faults.add({ kind: "drop_before", operation: "uploadFile", times: 3 });
    expect(await stageOnce(desk, given, kept)).toBeDefined();
    await desk.bench.clock.advance(31 * 86_400_000);
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
  });

  it("is never sent elsewhere with the token", async () => {
    const desk = await connectedOrganization();
    const value = { uploadUrl: "https://uploads.example.com/1", image: "urn:li:image:C4D1" };
    desk.bench.network.faults.add({
      kind: "refuse",
      operation: "initializeImage",
      answer: { status: 200, json: { value } },
    });
    const error = await stageOnce(desk, part({ media: pictures(desk.bench, 1) }));
    expect(error).toMatchObject({ code: "internal_error" });
    expect(desk.bench.seen.map(({ url }) => url.hostname)).not.toContain("uploads.example.com");
  });
});

describe("the answer", () => {
  it.each([
    ["a share", "urn:li:share:7462098711234567890"],
    ["a post of the other kind", "urn:li:ugcPost:9223372036854775807"],
  ])("tells the id of %s in a header, whole", async (_, id) => {
    const { bench } = await connectedOrganization();
    const headers = new Headers({ "X-RestLi-Id": id });
    const accepted = bench.adapter.publish?.accepted({ status: 201, headers, body: null }, { part: part() } as never);
    expect(accepted).toEqual({ live: { id, url: `https://www.linkedin.com/feed/update/${id}/`, ref: null } });
  });

  it.each([{}, { "x-restli-id": "" }, { "x-restli-id": "urn:li:activity:1" }])(
    "says nothing without one: %j",
    async (given) => {
      const { bench } = await connectedOrganization();
      const headers = new Headers(given as Record<string, string>);
      expect(
        bench.adapter.publish?.accepted({ status: 201, headers, body: { id: "1" } }, { part: part() } as never),
      ).toBeNull();
    },
  );
});

describe("a refusal as a duplicate", () => {
  const body = { status: 422, message: "Content is a duplicate of urn:li:share:7462098711234567890" };

  function named({ bench, connected }: Desk, answer: object) {
    return bench.adapter.publish?.duplicateOf?.(answer, { profile: connected.profile, part: part() } as never);
  }

  it("names the post of a member, of whom nothing can be read", async () => {
    expect(named(await connectedMember(), body)).toMatchObject({ id: "urn:li:share:7462098711234567890" });
  });

  it("names nothing of an organisation, whose list shows whether it is there", async () => {
    expect(named(await connectedOrganization(), body)).toBeNull();
  });

  it.each([
    "Content is a duplicate of urn:li:activity:7462098711234567890",
    "Content is a duplicate of urn:li:image:C4D1",
    "Something else",
  ])("names no post in: %s", async (message) => {
    expect(named(await connectedMember(), { message })).toBeNull();
  });
});

describe("a look", () => {
  const since = Date.parse("2020-01-01");

  function look({ bench, connected }: Desk, given: Part<LinkedinOptions>) {
    const input = { profile: connected.profile, secret: {}, part: given, index: 0, staged: {}, key: "" };
    const more = { first: null, previous: null, created_at: "2026-11-20T12:00:00.000Z", since };
    return bench.run(async () => bench.adapter.publish?.lookFor(connected.context, { ...input, ...more }));
  }

  it("cannot tell of a member, and asks nobody", async () => {
    const desk = await connectedMember();
    const before = desk.bench.seen.length;
    expect(await look(desk, part())).toMatchObject({ cannot_tell: expect.stringContaining("member") });
    expect(desk.bench.seen).toHaveLength(before);
  });

  it("cannot tell of an organisation without the scope to read it", async () => {
    const { bench } = await connectedOrganization();
    const given = organizationOn(bench.network, "Millers");
    const scopes = (given.scopes as string[]).filter((each) => each !== "r_organization_social");
    const connected = await bench.connect({ ...given, scopes });
    expect(await look({ bench, connected }, part())).toMatchObject({
      cannot_tell: expect.stringMatching(/r_organization_social/),
    });
    expect(bench.adapter.publish?.rules(connected.profile, part())).toMatchObject({ emptyReads: 1 });
  });

  it("cannot tell of an organisation whose login turns out not to read it", async () => {
    const bench = linkedinBench();
    const scopes = ["r_basicprofile", "w_organization_social", "rw_organization_admin"];
    const member = bench.network.addMember({ name: "Bea", product: "community_management", scopes });
    const organization_id = bench.network.addOrganization({
      name: "Millers",
      roles: { [member.external_id]: "ADMINISTRATOR" },
    });
    const connected = await bench.connect({ access_token: member.access_token, organization_id });
    expect(await look({ bench, connected }, part())).toMatchObject({ cannot_tell: expect.any(String) });
  });

  it("does not take the list's silence for an answer about what is in no feed", async () => {
    const desk = await connectedOrganization();
    desk.bench.network.hideUnlisted();
    const options = { feed_distribution: "NONE" } as const;
    await publish(desk, part({ options }));
    const silent = await look(desk, part({ options }));
    expect(silent).toMatchObject({
      lists: [{ posts: [], isWhole: true, showsSuch: false, name: "posts, in no feed" }],
    });
    expect(await look(desk, part())).toMatchObject({ lists: [{ showsSuch: true }] });
  });

  it("reads more than one page, as far as it must", async () => {
    const desk = await connectedOrganization();
    for (let index = 0; index < 130; index++)
      desk.bench.network.postAs(desk.connected.profile.external_id, `By hand ${index}`);
    const found = await look(desk, part());
    expect(found).toMatchObject({ lists: [{ isWhole: true }] });
    expect(found && "lists" in found && found.lists[0]?.posts).toHaveLength(130);
    expect(desk.bench.seen.filter(({ operation }) => operation === "findPosts")).toHaveLength(2);
  });

  it("knows its own pictures from others", async () => {
    const desk = await connectedOrganization();
    const given = part({ text: "", media: [fileOn(desk.bench, { name: "a.png", bytes: png(9, 9) })] });
    const { id } = await publish(desk, given);
    const found = await look(desk, given);
    expect(found).toMatchObject({ lists: [{ posts: [{ published: { id }, isSameKind: true, origin: null }] }] });
  });
});
