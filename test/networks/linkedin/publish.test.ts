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

describe("a LinkedIn post", () => {
  it("shows its whole text, whatever characters it has", async () => {
    const desk = await connectedOrganization();
    const text = "#Bread (50 % off) @home *and* [more] {or} <less> | a_b ~c\\d";
    const { id, url } = await publish(desk, part({ text }));
    expect(desk.bench.network.posts()).toMatchObject([{ id, text, url }]);
    expect(id).toMatch(/^urn:li:share:\d{19}$/);
  });

  it("carries its visibility, its distribution, and whether it can be reshared", async () => {
    const desk = await connectedOrganization();
    const options = { visibility: "LOGGED_IN", feed_distribution: "NONE", disable_reshares: true } as const;
    const { id } = await publish(desk, part({ options }));
    expect(desk.bench.network.detailsOf(id ?? "").given).toMatchObject({
      visibility: "LOGGED_IN",
      distribution: { feedDistribution: "NONE" },
      isReshareDisabledByAuthor: true,
    });
  });

  it("has a card with its image, because LinkedIn does not read the page", async () => {
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

  it("has a card without an image if the file is not an image", async () => {
    const desk = await connectedOrganization();
    const link = { ...linkOn(desk.bench), description: null };
    desk.bench.files.set(String(link.image_url), new TextEncoder().encode("<svg/>"));
    const { id } = await publish(desk, part({ link }));
    expect(desk.bench.network.detailsOf(id ?? "").given.content).toEqual({
      article: { source: link.url, title: "A page" },
    });
  });

  it("has up to twenty images in order, with their alt texts", async () => {
    const desk = await connectedOrganization();
    const { id } = await publish(desk, part({ media: pictures(desk.bench, 20) }));
    const { files } = desk.bench.network.detailsOf(id ?? "");
    expect(files.map(({ alt }) => alt)).toEqual(Array.from({ length: 20 }, (_, index) => `picture ${index}`));
  });
});

describe("an image's upload to LinkedIn", () => {
  it("goes to LinkedIn's own URL in one piece, with the token, and belongs to the author", async () => {
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

  it("waits until LinkedIn reports to the organisation that the image is ready", async () => {
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

  it("waits a round for a member, without a request", async () => {
    const desk = await connectedMember();
    const kept: Kept = {};
    const given = part({ media: pictures(desk.bench, 1) });
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
    expect(desk.bench.seen.map(({ operation }) => operation)).not.toContain("statusImage");
  });

  it("ends the post if LinkedIn cannot use the image", async () => {
    const desk = await connectedOrganization();
    desk.bench.network.failNextMedia();
    const error = await stageOnce(desk, part({ media: pictures(desk.bench, 1) }));
    expect(error).toMatchObject({ code: "media_error" });
  });

  it("starts again if its URL expired before it was used", async () => {
    const desk = await connectedOrganization();
    const kept: Kept = {};
    const given = part({ media: pictures(desk.bench, 1) });
    desk.bench.network.faults.add({ kind: "drop_before", operation: "uploadFile", times: 3 });
    expect(await stageOnce(desk, given, kept)).toBeDefined();
    await desk.bench.clock.advance(31 * 86_400_000);
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
  });

  it("never goes elsewhere with the token", async () => {
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

describe("LinkedIn's response", () => {
  it.each([
    ["a share", "urn:li:share:7462098711234567890"],
    ["a post of the other kind", "urn:li:ugcPost:9223372036854775807"],
  ])("has the full id of %s in a header", async (_, id) => {
    const { bench } = await connectedOrganization();
    const headers = new Headers({ "X-RestLi-Id": id });
    const accepted = bench.adapter.publish?.accepted({ status: 201, headers, body: null }, { part: part() } as never);
    expect(accepted).toEqual({ live: { id, url: `https://www.linkedin.com/feed/update/${id}/`, ref: null } });
  });

  it.each([{}, { "x-restli-id": "" }, { "x-restli-id": "urn:li:activity:1" }])(
    "is inconclusive without an id: %j",
    async (given) => {
      const { bench } = await connectedOrganization();
      const headers = new Headers(given as Record<string, string>);
      expect(
        bench.adapter.publish?.accepted({ status: 201, headers, body: { id: "1" } }, { part: part() } as never),
      ).toBeNull();
    },
  );
});

describe("a refusal as a duplicate at LinkedIn", () => {
  const body = { status: 422, message: "Content is a duplicate of urn:li:share:7462098711234567890" };

  function named({ bench, connected }: Desk, answer: object) {
    return bench.adapter.publish?.duplicateOf?.(answer, { profile: connected.profile, part: part() } as never);
  }

  it("names the post of a member, whose posts cannot be read", async () => {
    expect(named(await connectedMember(), body)).toMatchObject({ id: "urn:li:share:7462098711234567890" });
  });

  it("names no post of an organisation, whose list shows whether it is there", async () => {
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

describe("a look for a LinkedIn post", () => {
  const since = Date.parse("2020-01-01");

  function look({ bench, connected }: Desk, given: Part<LinkedinOptions>) {
    const input = { profile: connected.profile, secret: {}, part: given, index: 0, staged: {}, key: "" };
    const more = { first: null, previous: null, created_at: "2026-11-20T12:00:00.000Z", since };
    return bench.run(async () => bench.adapter.publish?.lookFor(connected.context, { ...input, ...more }));
  }

  it("is impossible for a member, and sends no request", async () => {
    const desk = await connectedMember();
    const before = desk.bench.seen.length;
    expect(await look(desk, part())).toMatchObject({ cannot_tell: expect.stringContaining("member") });
    expect(desk.bench.seen).toHaveLength(before);
  });

  it("is impossible for an organisation without the scope to read it", async () => {
    const { bench } = await connectedOrganization();
    const given = organizationOn(bench.network, "Millers");
    const scopes = (given.scopes as string[]).filter((each) => each !== "r_organization_social");
    const connected = await bench.connect({ ...given, scopes });
    expect(await look({ bench, connected }, part())).toMatchObject({
      cannot_tell: expect.stringMatching(/r_organization_social/),
    });
    expect(bench.adapter.publish?.rules(connected.profile, part())).toMatchObject({ emptyReads: 1 });
  });

  it("is impossible for an organisation whose token proves unable to read it", async () => {
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

  it("is inconclusive for posts that no feed shows", async () => {
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

  it("reads several pages if necessary", async () => {
    const desk = await connectedOrganization();
    for (let index = 0; index < 130; index++)
      desk.bench.network.postAs(desk.connected.profile.external_id, `By hand ${index}`);
    const found = await look(desk, part());
    expect(found).toMatchObject({ lists: [{ isWhole: true }] });
    expect(found && "lists" in found && found.lists[0]?.posts).toHaveLength(130);
    expect(desk.bench.seen.filter(({ operation }) => operation === "findPosts")).toHaveLength(2);
  });

  it("distinguishes its own images from others", async () => {
    const desk = await connectedOrganization();
    const given = part({ text: "", media: [fileOn(desk.bench, { name: "a.png", bytes: png(9, 9) })] });
    const { id } = await publish(desk, given);
    const found = await look(desk, given);
    expect(found).toMatchObject({ lists: [{ posts: [{ published: { id }, isSameKind: true, origin: null }] }] });
  });
});
