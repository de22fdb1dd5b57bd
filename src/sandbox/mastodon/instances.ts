import type { JsonObject } from "../../wire/json.ts";
import { known } from "../parts/known.ts";
import { type InstanceWays, mastodonsWays } from "./ways.ts";

export const defaultHost = "mastodon.sandbox.example";

/** A server of the simulated fediverse. */
export interface SandboxInstance {
  host: string;
  max_characters: number;
  url_length: number;
  max_media: number;
  /** Null: a server before 4.3, or a Mastodon-compatible server. */
  api_version: number | null;
  /** True: it lacks version 2 of the instance document and of the upload. */
  only_v1: boolean;
  /** The version that it reports; null: the default of its software. */
  version: string | null;
  /** How it differs from Mastodon. */
  ways: InstanceWays;
}

/** An instance to create. */
export interface NewInstance extends Partial<InstanceWays> {
  /** Its host. */
  host: string;
  /** The maximum length of a post, characters. @default 500 */
  maxCharacters?: number;
  /** The length that a link counts as. @default 23 */
  urlLength?: number;
  /** The maximum number of files per post. @default 4 */
  maxMedia?: number;
  /** `api_versions.mastodon`; null: not reported. @default 10 */
  apiVersion?: number | null;
  /** True: only version 1 of the instance document and of the upload. @default false */
  onlyV1?: boolean;
  /** The version that it reports: "4.0.0 (not true; really snac/2.75)". @default the one of its software */
  version?: string;
}

/** A domain of handles that is not the host of their instance. */
export interface HandleDomain {
  /** `local.example` */
  domain: string;
  /** The instance's host. */
  instance: string;
  /** Whether it redirects to the instance, as Mastodon advises, or responds itself. @default "redirects" */
  webfinger?: "redirects" | "answers";
}

/** All servers, by their hosts, and the additional domains of handles. */
export function createInstances() {
  const instances = new Map([[defaultHost, toInstance({ host: defaultHost })]]);
  const domains = new Map<string, HandleDomain>();

  const named = (host: string): SandboxInstance => known(instances.get(host), `instance ${host}`);

  function changeInstance(ways: Partial<InstanceWays>, host = defaultHost): void {
    const instance = named(host);
    instance.ways = { ...instance.ways, ...ways };
  }

  return {
    domains,
    find: (host: string) => instances.get(host),
    named,
    waysOf: (host: string): InstanceWays => instances.get(host)?.ways ?? mastodonsWays,
    switches: {
      addInstance: (given: NewInstance) => void instances.set(given.host, toInstance(given)),
      changeInstance,
      addDomain: (given: HandleDomain) => void domains.set(given.domain, given),
      ignoreIdempotencyKeys: (host?: string) => changeInstance({ keys: "ignored" }, host),
    },
  };
}

function toInstance(given: NewInstance): SandboxInstance {
  const { host, maxCharacters = 500, urlLength = 23, maxMedia = 4, apiVersion = 10, onlyV1 = false, ...rest } = given;
  const { version = null, ...ways } = rest;
  return {
    host,
    max_characters: maxCharacters,
    url_length: urlLength,
    max_media: maxMedia,
    api_version: apiVersion,
    only_v1: onlyV1,
    version,
    ways: { ...mastodonsWays, ...ways },
  };
}

/** Mastodon's default values: https://docs.joinmastodon.org/entities/Instance/ (2026-07) */
export const imageSizeLimit = 16_777_216;
export const videoSizeLimit = 103_809_024;
export const descriptionLimit = 1500;
export const pollLimits = {
  max_options: 4,
  max_characters_per_option: 50,
  min_expiration: 300,
  max_expiration: 2_629_746,
};

const mimeTypes = [
  ...["jpeg", "png", "gif", "heic", "heif", "webp", "avif"].map((kind) => `image/${kind}`),
  ...["webm", "mp4", "quicktime", "ogg"].map((kind) => `video/${kind}`),
  ...["wave", "wav", "ogg", "mpeg", "webm", "flac", "aac", "mp4"].map((kind) => `audio/${kind}`),
];

function configuration(instance: SandboxInstance): JsonObject {
  return {
    accounts: { max_featured_tags: 10, max_pinned_statuses: 5 },
    statuses: {
      max_characters: instance.max_characters,
      max_media_attachments: instance.max_media,
      characters_reserved_per_url: instance.url_length,
    },
    media_attachments: {
      supported_mime_types: mimeTypes,
      description_limit: descriptionLimit,
      image_size_limit: imageSizeLimit,
      image_matrix_limit: 33_177_600,
      video_size_limit: videoSizeLimit,
      video_frame_rate_limit: 120,
      video_matrix_limit: 8_294_400,
    },
    polls: { ...pollLimits },
  };
}

/** The versions that servers report; the second as seen on small servers (2026-11). */
const software = {
  mastodon: { version: "4.6.0", source_url: "https://github.com/mastodon/mastodon" },
  look_alike: { version: "4.6.0 (compatible; Lookalike 1.0)", source_url: "https://lookalike.example/source" },
} as const;

/** The domain of its handles, as it reports it. */
export function domainOf({ host, ways }: SandboxInstance): string {
  return ways.domain ?? host;
}

function versionOf({ version, ways }: SandboxInstance): string {
  return version ?? software[ways.software].version;
}

/** `GET /api/v2/instance` */
export function instanceV2(instance: SandboxInstance): JsonObject {
  const { host, api_version } = instance;
  return {
    domain: domainOf(instance),
    title: host,
    ...software[instance.ways.software],
    version: versionOf(instance),
    description: "A simulated server.",
    usage: { users: { active_month: 1 } },
    thumbnail: { url: `https://${host}/thumbnail.png` },
    icon: [],
    languages: ["en"],
    ...(api_version === null ? {} : { api_versions: { mastodon: api_version } }),
    configuration: {
      ...configuration(instance),
      urls: { streaming: `wss://${host}` },
      translation: { enabled: false },
    },
    registrations: { enabled: false, approval_required: false, message: null },
    contact: { email: `admin@${host}`, account: null },
    rules: [],
  };
}

/** `GET /api/v1/instance` */
export function instanceV1(instance: SandboxInstance): JsonObject {
  const { host } = instance;
  return {
    uri: domainOf(instance),
    title: host,
    short_description: "A simulated server.",
    description: "A simulated server.",
    email: `admin@${host}`,
    version: versionOf(instance),
    urls: { streaming_api: `wss://${host}` },
    stats: { user_count: 1, status_count: 1, domain_count: 1 },
    thumbnail: null,
    languages: ["en"],
    registrations: false,
    approval_required: false,
    invites_enabled: false,
    configuration: configuration(instance),
    contact_account: null,
    rules: [],
  };
}
