import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import { formBody, jsonBody, type SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import type { Refusal } from "../parts/refusal.ts";
import { type FieldProblem, invalidForm, refusal } from "./refusal.ts";
import type { StoredFile } from "./state.ts";

/** https://docs.discord.com/developers/reference, "Uploading Files" (2026-08) */
const maxFileBytes = 10 * 1024 * 1024;
const maxRequestBytes = 25 * 1024 * 1024;
const maxFiles = 10;
const maxEmbedCharacters = 6000;

const snowflake = z.string().regex(/^(0|[1-9]\d*)$/, "Value is not snowflake.");
const uri = z
  .string()
  .max(2048)
  .regex(/^(https?|attachment):\/\/\S+$/, "Not a well formed URL.");

const embed = z.looseObject({
  title: z.string().max(256).nullish(),
  description: z.string().max(4096).nullish(),
  url: uri.nullish(),
  color: z.int().min(0).max(16_777_215).nullish(),
  timestamp: z.iso.datetime({ offset: true }).nullish(),
  author: z.looseObject({ name: z.string().max(256) }).nullish(),
  footer: z.looseObject({ text: z.string().max(2048) }).nullish(),
  fields: z
    .array(z.looseObject({ name: z.string().min(1).max(256), value: z.string().min(1).max(1024) }))
    .max(25)
    .nullish(),
  image: z.looseObject({ url: uri }).nullish(),
  thumbnail: z.looseObject({ url: uri }).nullish(),
});

/** SUPPRESS_EMBEDS and SUPPRESS_NOTIFICATIONS; senders cannot set the others. */
const flags = z.int().refine((value) => (value & ~((1 << 2) | (1 << 12))) === 0, "Invalid flags");

const allowedMentions = z
  .looseObject({
    parse: z.array(z.enum(["users", "roles", "everyone"])).nullish(),
    users: z.array(snowflake).max(100).nullish(),
    roles: z.array(snowflake).max(100).nullish(),
    replied_user: z.boolean().nullish(),
  })
  .refine(
    ({ parse, users, roles }) =>
      !(parse?.includes("users") && users?.length) && !(parse?.includes("roles") && roles?.length),
    "parse and the ids of the same kind are mutually exclusive.",
  );

const poll = z.looseObject({
  question: z.looseObject({ text: z.string().min(1).max(300) }),
  answers: z
    .array(z.looseObject({ poll_media: z.looseObject({ text: z.string().min(1).max(55) }) }))
    .min(1)
    .max(10),
  duration: z.int().min(1).max(768).nullish(),
  allow_multiselect: z.boolean().nullish(),
});

/** https://docs.discord.com/developers/resources/message, "Create Message" (2026-08). Unknown fields are ignored. */
export const messageSchema = z.looseObject({
  content: z.string().max(2000, "Must be 2000 or fewer in length.").nullish(),
  embeds: z.array(embed).max(10).nullish(),
  allowed_mentions: allowedMentions.nullish(),
  flags: flags.nullish(),
  attachments: z
    .array(
      z.looseObject({
        id: z.union([snowflake, z.int().min(0).transform(String)]),
        filename: z.string().min(1).max(1024).nullish(),
        description: z.string().max(1024, "Must be 1024 or fewer in length.").nullish(),
      }),
    )
    .nullish(),
  poll: poll.nullish(),
});

export const replySchema = messageSchema.extend({
  message_reference: z.looseObject({ message_id: snowflake, fail_if_not_exists: z.boolean().nullish() }).nullish(),
  nonce: z.union([z.int().transform(String), z.string().max(25, "Must be 25 or fewer in length.")]).nullish(),
  enforce_nonce: z.boolean().nullish(),
});

export type MessagePayload = z.infer<typeof messageSchema>;

/** A request's JSON, and its files by number. */
export interface Payload {
  json: Json;
  files: Map<string, File>;
}

/** @throws Refusal if the body is neither of the two kinds that Discord accepts */
export async function readPayload(request: SandboxRequest): Promise<Payload> {
  if (request.bytes.length > maxRequestBytes) throw refusal(413, 40005, "Request entity too large");
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return { json: parsed(jsonBody(request)), files: new Map() };
  if (!type.startsWith("multipart/form-data")) throw refusal(400, 50035, `Unsupported content type ${type}`);
  const form = await formBody(request);
  const payload = form?.get("payload_json");
  if (form === undefined || typeof payload !== "string") throw invalidJson();
  return { json: parsed(safeParse(payload)), files: readFiles(form) };
}

function readFiles(form: FormData): Map<string, File> {
  const files = new Map<string, File>();
  for (const [name, value] of form) {
    if (name === "payload_json") continue;
    const number = /^files\[(\d{1,2})\]$/.exec(name)?.[1];
    if (number === undefined || typeof value === "string" || files.has(number))
      throw invalidForm([{ path: [name], code: "UNEXPECTED_FIELD", message: "Unexpected field" }]);
    if (value.size > maxFileBytes) throw refusal(413, 40005, "Request entity too large");
    files.set(number, value);
  }
  if (files.size > maxFiles) throw refusal(400, 30015, "Maximum number of attachments reached (10)");
  return files;
}

/** @throws Refusal 50035 that names the fields */
export function checked<Schema extends z.ZodType>(schema: Schema, json: Json): z.infer<Schema> {
  return readAs(schema, json, (issues) => invalidForm(issues.map(problem)));
}

function problem(issue: z.core.$ZodIssue): FieldProblem {
  const codes: Record<string, string> = { too_big: "BASE_TYPE_MAX_LENGTH", too_small: "BASE_TYPE_MIN_LENGTH" };
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  return { path, code: codes[issue.code] ?? "BASE_TYPE_BAD_INVALID", message: issue.message };
}

/**
 * The files of a message, with their descriptions in `attachments`.
 *
 * @throws Refusal if the message is empty, has too much content, or names files that were not sent
 */
export function filesOf(message: MessagePayload, files: ReadonlyMap<string, File>): StoredFile[] {
  assertEmbedsFit(message);
  const attachments = message.attachments ?? [];
  if (attachments.length > maxFiles) throw refusal(400, 30015, "Maximum number of attachments reached (10)");
  const isEmpty = !message.content?.trim() && !message.embeds?.length && !message.poll && files.size === 0;
  if (isEmpty) throw refusal(400, 50006, "Cannot send an empty message");
  const named = new Set(attachments.map(({ id }) => id));
  if (named.size !== files.size || [...named].some((id) => !files.has(id)))
    throw refusal(400, 50146, "Uploaded file not found");
  return attachments.map(({ id, filename, description }) => {
    const file = files.get(id) as File;
    return {
      id,
      filename: (filename ?? file.name).replace(/[^A-Za-z0-9._-]/g, "_"),
      size: file.size,
      contentType: file.type,
      description: description ?? null,
    };
  });
}

function assertEmbedsFit({ embeds }: MessagePayload): void {
  const total = (embeds ?? []).reduce((sum, { title, description, author, footer, fields }) => {
    const texts = [title, description, author?.name, footer?.text];
    for (const { name, value } of fields ?? []) texts.push(name, value);
    return sum + texts.reduce((length, text) => length + (text?.length ?? 0), 0);
  }, 0);
  if (total > maxEmbedCharacters)
    throw invalidForm([
      { path: ["embeds"], code: "MAX_EMBED_SIZE_EXCEEDED", message: "Embed size exceeds maximum size of 6000" },
    ]);
}

function safeParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function parsed(json: Json | undefined): Json {
  if (json === undefined) throw invalidJson();
  return json;
}

function invalidJson(): Refusal {
  return refusal(400, 50109, "The request body contains invalid JSON.");
}
