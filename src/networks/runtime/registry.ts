import { z } from "zod";
import { describeValue } from "../../wire/describe-value.ts";
import { documentedAnswer } from "../../wire/documented-object.ts";
import { SocialError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import { hintFor, listed } from "../../wire/nearest.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { mediaTypes } from "../contract/limits.ts";
import { type NetworkId, networkId, networkIdPattern } from "../contract/network-id.ts";
import { readableAdapter } from "./readable.ts";

const inboxAccess = z.enum(["none", "read", "reply"]);
const whole = z.int().optional();

const mediaRuleSchema = documentedAnswer({
  type: z.enum(mediaTypes),
  mime: z.string(),
  min_bytes: whole,
  max_bytes: z.int(),
  min_width: whole,
  max_width: whole,
  min_height: whole,
  max_height: whole,
  max_pixels: whole,
  /** Width divided by height. */
  min_aspect: z.number().optional().describe("Width divided by height."),
  max_aspect: z.number().optional(),
  min_seconds: z.number().optional(),
  max_seconds: z.number().optional(),
  /** Of the picture: `h264`, `hevc`, `vp9`, ... */
  codecs: z.array(z.string()).readonly().optional().describe("Of the picture: `h264`, `hevc`, `vp9`, ..."),
  /** Of the sound: `aac`, `opus`, `mp3`, ... */
  audio_codecs: z.array(z.string()).readonly().optional().describe("Of the sound: `aac`, `opus`, `mp3`, ..."),
  /** Frames a second, rounded. */
  min_fps: z.number().optional().describe("Frames a second, rounded."),
  max_fps: z.number().optional(),
  /** Bits a second of the whole file, on average. */
  max_bitrate: whole.describe("Bits a second of the whole file, on average."),
  /** Pictures in one file: animations. */
  max_frames: whole.describe("Pictures in one file: animations."),
  /** Shown otherwise than one may expect: how. */
  action: z.string().optional().describe("Shown otherwise than one may expect: how."),
});

const mediaSchema = documentedAnswer({
  min_items: whole,
  max_items: z.int(),
  max_of_type: z.partialRecord(z.enum(mediaTypes), z.int()).optional(),
  mixing: z.enum(["any", "one_type"]),
  types: z.array(mediaRuleSchema).readonly(),
  max_alt: whole,
  max_total_bytes: whole,
});

const titleSchema = documentedAnswer({ max: z.int(), required: z.boolean() }).nullable();
const textRuleSchema = documentedAnswer({ max: z.int(), unit: z.string(), max_bytes: whole, url_length: whole });

const variantSchema = documentedAnswer({
  when: documentedAnswer({
    post_type: z.enum(["post", "reel", "story"]).optional(),
    /** All files are of this type; `none`: no files. */
    media: z
      .enum([...mediaTypes, "none"])
      .optional()
      .describe("All files are of this type; `none`: no files."),
    min_items: whole,
  }),
  text: textRuleSchema.partial().optional(),
  media: mediaSchema.partial().optional(),
  title: titleSchema.optional(),
});

export const networkSchema = documentedAnswer({
  network: networkId,
  name: z.string(),
  /** May posts go there? */
  publish: z.boolean().describe("May posts go there?"),
  text: documentedAnswer({
    max: z.int(),
    unit: z.string(),
    max_bytes: z.int().nullable(),
    url_length: z.int().nullable(),
    /** `@user@host` counts as `@user`. */
    bare_mentions: z.boolean().describe("`@user@host` counts as `@user`."),
  }),
  threads: z.boolean(),
  media: mediaSchema,
  post_types: z.array(z.enum(["post", "reel", "story"])).readonly(),
  title: titleSchema,
  link_card: z.enum(["field", "from_text", "none"]),
  /** A first comment, which goes out with the post. */
  comment: documentedAnswer({ text: textRuleSchema })
    .nullable()
    .describe("A first comment, which goes out with the post."),
  /** Other limits for some posts: the first that fits a post holds. */
  variants: z
    .array(variantSchema)
    .readonly()
    .describe("Other limits for some posts: the first that fits a post holds."),
  /** The pass-through keys of `networks.<network>`, as JSON Schema. */
  options: z.record(z.string(), z.json()).describe("The pass-through keys of `networks.<network>`, as JSON Schema."),
  /** What connecting takes as `credentials`, as JSON Schema. */
  credentials: z.record(z.string(), z.json()).describe("What connecting takes as `credentials`, as JSON Schema."),
  inbox: documentedAnswer({ dm: inboxAccess, comment: inboxAccess, mention: inboxAccess }),
  /** What happens when an answer is lost. */
  duplicates: z
    .array(z.enum(["keyed", "located", "may_be_live"]))
    .readonly()
    .describe("What happens when an answer is lost."),
  /** The version of the network's API that is in use. */
  api_version: z.string().describe("The version of the network's API that is in use."),
  /** The day from which on the network no longer takes it. */
  sunset_at: z.string().nullable().describe("The day from which on the network no longer takes it."),
  /** The versions that can be used, each with the day from which on the network no longer takes it. */
  versions: z
    .record(z.string(), z.string().nullable())
    .describe("The versions that can be used, each with the day from which on the network no longer takes it."),
  /** What the network charges the owner of the app, US dollars, and the month in which it did. */
  cost: z
    .array(documentedAnswer({ for: z.enum(["post", "post_with_link", "read"]), usd: z.number(), as_of: z.string() }))
    .readonly()
    .describe("What the network charges the owner of the app, US dollars, and the month in which it did."),
}).meta({ id: "Network" });

/** What a network accepts, as `social.networks.list()` shows it. */
export type NetworkDescription = z.infer<typeof networkSchema>;

export interface NetworkRegistry {
  get(network: NetworkId): NetworkAdapter | undefined;
  /**
   * What to tell whoever names a network that the service does not have; null:
   * it has it. Nothing else decides which networks a request may name.
   */
  refusalOf(given: unknown): string | null;
  list(): NetworkDescription[];
}

/** @throws SocialError `internal_error` for a network whose id is not well-formed, and for one that is given twice */
export function createRegistry(adapters: readonly NetworkAdapter[]): NetworkRegistry {
  const byId = new Map<NetworkId, NetworkAdapter>();
  for (const adapter of adapters) {
    const { network } = adapter.spec;
    if (!networkIdPattern.test(network)) throw malformedId(network);
    if (byId.has(network)) throw new SocialError("internal_error", `networks: ${network} is given twice.`);
    byId.set(network, readableAdapter(adapter));
  }
  return {
    get: (network) => byId.get(network),
    refusalOf: (given) => (byId.has(given as NetworkId) ? null : refusalOf(given, [...byId.keys()])),
    list: () => [...byId.values()].map(describeNetwork),
  };
}

function malformedId(network: string): SocialError {
  const right = "1 to 32 small letters, digits and underscores, a letter first";
  return new SocialError(
    "internal_error",
    `networks: A network's id (spec.network) is ${right}, not ${describeValue(network)}.`,
  );
}

function refusalOf(given: unknown, names: readonly NetworkId[]): string {
  if (names.length === 0) return "The service was created without any network.";
  if (given === undefined) return `It is missing: give one of ${listed(names, "or")}.`;
  if (typeof given !== "string") return `Give one of ${listed(names, "or")}, not ${describeValue(given)}.`;
  return `The service has no such network${hintFor(given, names)}`;
}

/** Generated from the data that validates and publishes. */
export function describeNetwork({ spec, options, connect, publish }: NetworkAdapter): NetworkDescription {
  const { hosts: _hosts, headers: _headers, rules: _rules, takenFromText: _taken, sources: _sources, ...shown } = spec;
  const { text, comment, variants, versions, cost }: Shown<typeof shown> = shown;
  const { max_bytes = null, url_length = null, bare_mentions = false } = text;
  return {
    ...shown,
    publish: publish !== undefined,
    text: { ...text, max_bytes, url_length, bare_mentions },
    comment: comment ?? null,
    variants: variants ?? [],
    sunset_at: versions[shown.api_version] ?? null,
    cost: cost ?? [],
    options: z.toJSONSchema(options, { io: "input" }) as JsonObject,
    credentials: z.toJSONSchema(connect.credentials, { io: "input" }) as JsonObject,
  };
}

/** Does not compile for a field of the spec that `networkSchema` lacks: nothing is left out by mistake. */
type Shown<Spec> = { [Key in keyof Spec]: Key extends keyof NetworkDescription ? Spec[Key] : never };
