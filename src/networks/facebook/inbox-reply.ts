import * as z from "zod";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { Acceptance } from "../contract/acceptance.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { Replier, Reply } from "../contract/inbox.ts";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { type Api, getAnswer, wholeAddress } from "./api.ts";
import { belowPost } from "./errors.ts";
import { publishedKey } from "./inbox-ids.ts";
import { messagesShown } from "./inbox-messages.ts";

/**
 * Reads are behind by more than a minute at times: https://github.com/DayMoonDevelopment/post-for-me/pull/355 (2026-09). A
 * text carries no file, and what waits behind it in its conversation waits for its end.
 */
const rules: CommitRules = { ...readBackRules, hardEndSeconds: 20, betweenLooksSeconds: 120 };

/** How an answer goes out, kept as the options of its part. */
const routeSchema = z.union([
  z.object({ kind: z.literal("dm"), person: z.string(), isHumanAgent: z.boolean() }),
  z.object({ kind: z.literal("comment"), to: z.string(), root: z.string() }),
]);

type Route = z.infer<typeof routeSchema>;

function routeOf({ part }: Pick<CommitInput, "part">): Route {
  return routeSchema.parse(part.options);
}

/** @param humanAgent whether the app has the feature Human Agent: then people may answer for a week */
export function createReplier(api: Api, { humanAgent }: { humanAgent: boolean }): Replier {
  const publisher: Publisher = {
    rules: () => rules,
    commit: (input) => requestFor(input, api),
    accepted: (response, input) => acceptedAs(routeOf(input), response.body),
    lookFor: (context, input) => lookFor(context, input, api),
    textForms: ({ text }) => [text],
  };
  return {
    publishers: { dm: publisher, comment: publisher, mention: publisher },
    asPost: (reply) => ({
      part: {
        text: reply.text,
        media: [],
        link: null,
        title: null,
        post_type: "post",
        options: routeFor(reply, humanAgent),
      },
      previous: null,
    }),
    // No page of Meta's names the number for messages (unconfirmed).
    text: (kind) => (kind === "dm" ? { max: 2_000, unit: "utf16" } : { max: 8_000, unit: "utf16" }),
    keyOf: ({ id }) => publishedKey(id),
  };
}

const refSchema = z.object({ root: z.string() });

/** Programs may never answer as Human Agents do, and nobody may while answers of all kinds are taken. https://developers.facebook.com/docs/messenger-platform/send-messages (2026-09) */
function routeFor({ kind, to, by, isOpen }: Reply, humanAgent: boolean): Route {
  if (kind === "dm") return { kind, person: to.author.id, isHumanAgent: humanAgent && by === "person" && !isOpen };
  const { root = to.external_id } = refSchema.safeParse(to.ref).data ?? {};
  return { kind: "comment", to: to.external_id, root };
}

function requestFor(input: CommitInput, api: Api): CommitRequest {
  const route = routeOf(input);
  const { part, profile } = input;
  if (route.kind === "comment")
    // https://developers.facebook.com/docs/pages-api/comments-mentions (2026-04)
    return {
      method: "POST",
      url: api.endpoint([route.to, "comments"]),
      body: { form: { message: part.text } },
      operation: belowPost,
    };
  const type: JsonObject = route.isHumanAgent
    ? { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" }
    : { messaging_type: "RESPONSE" };
  return {
    method: "POST",
    url: api.endpoint([profile.external_id, "messages"]),
    body: { json: { recipient: { id: route.person }, ...type, message: { text: part.text } } },
    operation: "message",
  };
}

const sentSchema = z.object({ message_id: z.string() });
const commentedSchema = z.object({ id: z.string().regex(/^\d+(_\d+)?$/) });

function acceptedAs(route: Route, body: unknown): Acceptance | null {
  if (route.kind === "dm") {
    const parsed = sentSchema.safeParse(body);
    return parsed.success ? { live: { id: parsed.data.message_id, url: null, ref: null } } : null;
  }
  const parsed = commentedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { id } = parsed.data;
  return { live: { id, url: wholeAddress(`/${id}`), ref: { root: route.root } } };
}

const itemSchema = z.object({
  id: z.string(),
  message: z.string().nullish(),
  created_time: z.string(),
  from: z.object({ id: z.string() }).nullish(),
});

type Item = z.infer<typeof itemSchema>;

const conversationsSchema = z.object({
  data: z.array(z.object({ messages: z.object({ data: z.array(itemSchema) }).nullish() })),
});

async function lookFor(context: NetworkContext, input: LookInput, api: Api): Promise<LookResult> {
  const route = routeOf(input);
  const found =
    route.kind === "dm"
      ? await readMessages(context, api, route)
      : await readReplies(context, api, { route, since: input.since });
  if (found === null) return { cannot_tell: "The conversation is not available." };
  const { items, isWhole } = found;
  const parent = route.kind === "dm" ? null : route.root;
  const ours = items.filter(({ from }) => from == null || from.id === context.profile.external_id);
  const isReached = items.some(({ created_time }) => Date.parse(created_time) < input.since);
  const posts = ours.map((item) => toSeen(item, { parent, ref: route.kind === "dm" ? null : { root: route.root } }));
  return {
    parent,
    lists: [
      { posts, isWhole: isWhole || isReached, showsSuch: true, name: route.kind === "dm" ? "messages" : "replies" },
    ],
  };
}

interface Found {
  items: Item[];
  isWhole: boolean;
}

async function readMessages(
  context: NetworkContext,
  api: Api,
  { person }: Extract<Route, { kind: "dm" }>,
): Promise<Found | null> {
  const url = api.endpoint([context.profile.external_id, "conversations"], {
    platform: "messenger",
    user_id: person,
    fields: `messages.limit(${messagesShown}){id,created_time,from{id},message}`,
  });
  const { data } = await getAnswer(conversationsSchema, context, url);
  const [conversation] = data;
  if (conversation === undefined) return null;
  const items = conversation.messages?.data ?? [];
  return { items, isWhole: items.length < messagesShown };
}

async function readReplies(
  context: NetworkContext,
  api: Api,
  { route, since }: { route: Extract<Route, { kind: "comment" }>; since: number },
): Promise<Found> {
  const url = api.endpoint([route.root, "comments"], {
    filter: "toplevel",
    order: "reverse_chronological",
    limit: "50",
    fields: "id,message,created_time,from{id}",
  });
  const isPast = ({ created_time }: Item): boolean => Date.parse(created_time) < since;
  return readGraphPages(context, { name: "Facebook", url, schema: itemSchema, isPast, operation: belowPost });
}

function toSeen(
  { id, message, created_time }: Item,
  { parent, ref }: { parent: string | null; ref: Json },
): ListedPost {
  return {
    published: { id, url: parent === null ? null : wholeAddress(`/${id}`), ref },
    created_at: Date.parse(created_time),
    texts: [message ?? ""],
    parent,
    isSameKind: true,
    origin: null,
  };
}
