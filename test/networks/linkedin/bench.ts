import type { Part, PlannedMedia, PublishedPart } from "../../../src/networks/contract/plan.ts";
import { type LinkedinSettings, linkedin } from "../../../src/networks/linkedin/index.ts";
import { type LinkedinOptions, options } from "../../../src/networks/linkedin/options.ts";
import { type LinkedinSandbox, type LinkedinTokens, linkedinSandbox } from "../../../src/sandbox/linkedin/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { png } from "../../media/samples.ts";
import { type Desk as AnyDesk, failure } from "../desk.ts";
import { partOf, putFile, videoFacts } from "../parts.ts";

export type LinkedinBench = NetworkBench<LinkedinSandbox>;

/** The apps, as registered in the sandbox. */
export const shareApp = { client_id: "share-app", client_secret: "share-secret" };
export const communityApp = { client_id: "community-app", client_secret: "community-secret" };

export const community: LinkedinSettings = { app: communityApp, product: "community_management" };

export function linkedinBench(settings: LinkedinSettings = community): LinkedinBench {
  return networkBench({ adapter: linkedin(settings), network: linkedinSandbox });
}

/** Credentials with these tokens. */
export function credentialsOf({ access_token, refresh_token, client_id, scopes }: LinkedinTokens): JsonObject {
  return { access_token, client_id, scopes, ...(refresh_token === null ? {} : { refresh_token }) };
}

/** Credentials of a new member. */
export function memberOn(network: LinkedinSandbox, name = "Alice Doe"): JsonObject {
  return credentialsOf(network.addMember({ name }));
}

/** Renewable credentials of a new member. */
export function partnersMemberOn(network: LinkedinSandbox, name = "Alice Doe"): JsonObject {
  return credentialsOf(network.addMember({ name, product: "community_management" }));
}

/** Credentials of a new organisation. */
export function organizationOn(network: LinkedinSandbox, name = "Bakers"): JsonObject {
  const member = network.addMember({ name: `Owner of ${name}`, product: "community_management" });
  const urn = network.addOrganization({ name, roles: { [member.external_id]: "ADMINISTRATOR" } });
  return { ...credentialsOf(member), organization_id: urn };
}

export type Desk = AnyDesk<LinkedinBench>;

export async function connectedOrganization(settings?: LinkedinSettings): Promise<Desk> {
  const bench = linkedinBench(settings);
  return { bench, connected: await bench.connect(organizationOn(bench.network)) };
}

export async function connectedMember(): Promise<Desk> {
  const bench = linkedinBench();
  return { bench, connected: await bench.connect(memberOn(bench.network)) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<LinkedinOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench finds them. */
export function pictures(bench: LinkedinBench, count: number, given: Partial<PlannedMedia> = {}): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const file = { name: `${index}.png`, bytes: png(8 + index, 8) };
    return fileOn(bench, file, { alt: `picture ${index}`, ...given });
  });
}

export function fileOn(
  bench: LinkedinBench,
  file: { name: string; bytes: Uint8Array },
  given: Partial<PlannedMedia> = {},
): PlannedMedia {
  return putFile(bench, file, { size_bytes: file.bytes.length, ...given });
}

/** A card, with its image where the bench finds it. */
export function linkOn(bench: LinkedinBench): NonNullable<Part["link"]> {
  const image_url = "https://media.example/card.png";
  bench.files.set(image_url, png(8, 8));
  return { url: "https://example.com/a?b=1", title: "A page", description: "What it is about", image_url };
}

export type Kept = Parameters<Desk["connected"]["stage"]>[0];

export function stageOnce({ bench, connected }: Desk, given: Part<LinkedinOptions>, kept: Kept = {}): Promise<unknown> {
  return failure(bench.run(async () => bench.adapter.publish?.stage?.(connected.stage(kept), given)));
}

function requestOf({ bench, connected }: Desk, given: Part<LinkedinOptions>, staged: Kept = {}) {
  const input = {
    profile: connected.profile,
    secret: {},
    index: 0,
    staged,
    first: null,
    previous: null,
    key: "",
  };
  const request = bench.adapter.publish?.commit({ ...input, part: given, created_at: "2026-11-20T12:00:00.000Z" });
  if (request === undefined) throw new Error("nothing to send");
  return request;
}

/** Stages until staging is done, and publishes. */
export async function publish(desk: Desk, given: Part<LinkedinOptions>): Promise<PublishedPart> {
  const { bench, connected } = desk;
  const kept: Kept = {};
  for (let round = 0; round < 3; round++) if ((await stageOnce(desk, given, kept)) === undefined) break;
  const response = await bench.run(() => connected.send(requestOf(desk, given, kept), given.media));
  const accepted = bench.adapter.publish?.accepted(response, { part: given, staged: kept } as never);
  if (accepted == null || !("live" in accepted)) throw new Error(`not accepted: ${response.status}`);
  return accepted.live;
}

/** @param bytes its length */
export function video(bench: LinkedinBench, bytes = 20, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const content = new Uint8Array(bytes);
  content.set(new TextEncoder().encode("\0\0\0\x10ftypisom"));
  return fileOn(bench, { name: "film.mp4", bytes: content }, { ...videoFacts, ...given });
}
