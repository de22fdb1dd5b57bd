import { redactionOf, secretsIn } from "../../outbound/redaction.ts";
import { cleanLine } from "../../wire/clean-text.ts";
import type { Redact } from "../../wire/describe-failure.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { Acceptance, PublishingFailure } from "../contract/acceptance.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import type { LookResult, Pending } from "../contract/look.ts";
import type { Published, PublishedPart } from "../contract/plan.ts";
import type { Identity } from "../contract/profile.ts";
import type { Publisher } from "../contract/publish.ts";

/** Characters at most. Networks allow names and handles a tenth of it. */
const longest = { name: 300, handle: 500, scope: 200, id: 500, url: 2_000, message: 1_000 };
const maxScopes = 200;
/** What an adapter keeps of an answer for itself, characters of JSON. */
const longestKept = 20_000;

/**
 * Who an account is, in texts that can be stored and shown: a network's words
 * are cut, cleaned and free of the account's own credentials.
 *
 * @throws PublishingError `network_error` for what no cutting makes usable: ids, and what the adapter keeps
 */
export function readableIdentity(identity: Identity, secret: JsonObject): Identity {
  const redact = redactionOf(secretsIn({ secret }));
  const { external_id, host, limits, account_facts: known } = identity;
  const isUsable =
    isReadableId(external_id) &&
    (host === null || isReadableId(host)) &&
    isKept({ external_id, host, known, limits: limits as Json }, redact);
  if (!isUsable) {
    throw new PublishingError("network_error", "The network's response about this account could not be read.");
  }
  const handle = cleanLine(redact(identity.handle ?? ""), longest.handle) || null;
  return {
    ...identity,
    name: cleanLine(redact(identity.name), longest.name) || handle || external_id,
    handle,
    avatar_url: readableUrl(identity.avatar_url, redact),
    url: readableUrl(identity.url, redact),
    scopes: identity.scopes.slice(0, maxScopes).map((scope) => cleanLine(redact(scope), longest.scope)),
  };
}

/** The adapter, whose answers about what it published are taken only when they can be stored. */
export function readableAdapter(adapter: NetworkAdapter): NetworkAdapter {
  const { publish } = adapter;
  if (publish === undefined) return adapter;
  const { duplicateOf, confirm, lookUpId } = publish;
  const readable: Publisher = {
    ...publish,
    accepted: (response, input) => readableAcceptance(publish.accepted(response, input), input.secret),
    lookFor: async (context, input) => readableSighting(await publish.lookFor(context, input), input.secret),
  };
  if (duplicateOf) readable.duplicateOf = (body, input) => readablePart(duplicateOf(body, input), input.secret);
  if (lookUpId) {
    readable.lookUpId = async (context, published) =>
      readablePart(await lookUpId(context, published), context.secret) ?? published;
  }
  if (confirm) {
    readable.confirm = async (context, published, input) =>
      readablePart(await confirm(context, published, input), input.secret) ?? published;
  }
  return { ...adapter, publish: readable };
}

function readableAcceptance(acceptance: Acceptance | null, secret: JsonObject): Acceptance | null {
  if (acceptance === null) return null;
  if ("refused" in acceptance) return { refused: readableFailure(acceptance.refused, secret) };
  if ("job" in acceptance) return isKept(acceptance.job, redactionOf(secretsIn({ secret }))) ? acceptance : null;
  const live = readablePublished(acceptance.live, secret);
  return live && { live };
}

function readableFailure({ code, message }: PublishingFailure, secret: JsonObject): PublishingFailure {
  return { code, message: cleanLine(redactionOf(secretsIn({ secret }))(message), longest.message) };
}

/** A post that cannot be stored can be neither adopted nor passed over: it may be the one that is looked for. */
function readableSighting(sighting: LookResult, secret: JsonObject): LookResult {
  if ("live" in sighting) {
    const live = readablePublished(sighting.live, secret);
    return live === null ? unreadable : { live };
  }
  if ("failed" in sighting) return { failed: readableFailure(sighting.failed, secret) };
  if ("pending" in sighting) return readablePending(sighting, secret);
  if (!("lists" in sighting)) return sighting;
  const posts = sighting.lists.flatMap((list) => list.posts);
  return posts.every(({ published }) => readablePart(published, secret) !== null) ? sighting : unreadable;
}

function readablePending({ at_cap, ...sighting }: Pending, secret: JsonObject): Pending {
  if (at_cap === undefined) return sighting;
  if ("failed" in at_cap) return { ...sighting, at_cap: { failed: readableFailure(at_cap.failed, secret) } };
  const live = readablePublished(at_cap.live, secret);
  return live === null ? sighting : { ...sighting, at_cap: { live } };
}

const unreadable: LookResult = { cannot_tell: "The account has a post with an unreadable id." };

/** Null where one of the parts cannot be stored. */
function readablePublished(published: Published | null, secret: JsonObject): Published | null {
  const first = readablePart(published, secret);
  if (first === null || published?.following === undefined) return first;
  const following = published.following.flatMap((part) => readablePart(part, secret) ?? []);
  return following.length === published.following.length ? { ...first, following } : null;
}

/** Null for a part whose id nobody could store or ask for. */
function readablePart<SomePart extends PublishedPart>(part: SomePart | null, secret: JsonObject): SomePart | null {
  const redact = redactionOf(secretsIn({ secret }));
  if (part === null || (part.id !== null && !isReadableId(part.id)) || !isKept([part.id, part.ref], redact))
    return null;
  return { ...part, url: readableUrl(part.url, redact) };
}

/** One word without control characters, half characters and what stands for them. */
export function isReadableId(id: string): boolean {
  return id !== "" && id.length <= longest.id && !/[\s\p{Cc}\p{Surrogate}\ufffd]/u.test(id);
}

/** Short enough, and without a credential. */
function isKept(value: Json, redact: Redact): boolean {
  const text = JSON.stringify(value);
  return text.length <= longestKept && redact(text) === text;
}

/** Null for what is no address on the web. */
export function readableUrl(url: string | null, redact: Redact): string | null {
  if (url === null || url.length > longest.url || redact(url) !== url || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return null;
  return /^[\x21-\x7e]*$/.test(url) ? url : href;
}
