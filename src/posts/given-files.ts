import { type FileItself, isFileItself } from "../hosting/source.ts";
import type { MediaInput, OverrideContentInput } from "../planning/schema.ts";
import { isRefusal, SocialError } from "../wire/errors.ts";
import type { PostPorts } from "./ports.ts";

/** A file with what is said of it. */
export interface DescribedFile {
  /** The file itself. */
  file: FileItself;
  /** Description of the image, for users who cannot see it. */
  alt?: string | null | undefined;
  /** URL of a video's cover image. */
  thumbnail_url?: string | null | undefined;
}

/** A file of a post: its address, or, where the service has a `mediaStore`, the file itself. */
export type PostFile = MediaInput | FileItself | DescribedFile;

/** A body whose files need not have an address yet: the service keeps them first, as `media.upload` does. */
export type WithFiles<Body> = Omit<Body, "media" | "networks"> & {
  /** Files by URL, in order. */
  media?: readonly PostFile[] | undefined;
  /** Overrides by network. */
  networks?: Readonly<Partial<Record<string, Readonly<Record<string, unknown>>>>> | undefined;
};

/** As `WithFiles`, for what one network gets in place of the post's own content. */
export type OverrideWithFiles = Omit<OverrideContentInput, "media"> & {
  /** Files by URL, in order. */
  media?: PostFile | readonly PostFile[] | null | undefined;
};

interface GivenFile {
  source: FileItself;
  /** Where the body has it. */
  field: string;
}

/** Stands for a file that is not kept yet, while the rest of the body is checked. */
const placeholder = "https://file.invalid/";

/** What came of a call, and whether a post uses the files that were given. */
export interface Used<Answer> {
  answer: Answer;
  isUsed: boolean;
}

/**
 * Keeps the files that a body holds and acts on the body with their addresses
 * in their places. Nothing is kept for a body that cannot be parsed, and what
 * no post came to use is deleted.
 *
 * @throws SocialError `invalid_request` naming the file that is not taken · whatever `parse` and `act` throw
 */
export async function withFilesKept<Parsed, Answer>(
  ports: Pick<PostPorts, "hosting">,
  accountId: string,
  body: unknown,
  { parse, act }: { parse(body: unknown): Parsed; act(parsed: Parsed): Promise<Used<Answer>> },
): Promise<Answer> {
  const files: GivenFile[] = [];
  const named = replaceFiles(body, (source, field) => {
    files.push({ source, field });
    return placeholder;
  });
  if (files.length === 0) return (await act(parse(body))).answer;
  parse(named);
  const urls: string[] = [];
  try {
    for (const file of files) urls.push(await keep(ports, accountId, file));
    const addresses = urls.values();
    const { answer, isUsed } = await act(parse(replaceFiles(body, () => addresses.next().value ?? placeholder)));
    if (!isUsed) await drop(ports, accountId, urls);
    return answer;
  } catch (error) {
    // Only a refusal says for certain that no post uses them; else they go when they expire.
    if (isRefusal(error)) await drop(ports, accountId, urls);
    throw error;
  }
}

async function keep({ hosting }: Pick<PostPorts, "hosting">, accountId: string, { source, field }: GivenFile) {
  try {
    return (await hosting.forAccount(accountId).upload(source)).url;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [detail] = error.details;
    const { code = error.code, message = error.message } = detail ?? {};
    const network = /^networks\.([^.]+)\./.exec(field)?.[1];
    const named = { field, ...(network === undefined ? {} : { network }), code, message };
    throw new SocialError(error.code, "The post is not valid; nothing was sent.", {
      details: [named],
      cause: error,
      status: error.status,
    });
  }
}

async function drop({ hosting }: Pick<PostPorts, "hosting">, accountId: string, urls: readonly string[]) {
  const media = hosting.forAccount(accountId);
  // What cannot be deleted now expires in a day.
  await Promise.allSettled(urls.map((url) => media.delete(url)));
}

type AddressOf = (file: FileItself, field: string) => string;

/** The body with an address in the place of each file of `media`: the post's, and those of its overrides. */
function replaceFiles(body: unknown, addressOf: AddressOf): unknown {
  if (!isObject(body)) return body;
  const { media, networks } = body;
  return {
    ...(Array.isArray(media) ? withMediaReplaced(body, "media", addressOf) : body),
    ...(isObject(networks) ? { networks: replaceInOverrides(networks, addressOf) } : {}),
  };
}

function replaceInOverrides(networks: Record<string, unknown>, addressOf: AddressOf): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(networks).map(([network, own]) => [
      network,
      isObject(own) ? withMediaReplaced(own, `networks.${network}.media`, addressOf) : own,
    ]),
  );
}

function withMediaReplaced(content: Record<string, unknown>, field: string, addressOf: AddressOf) {
  const { media } = content;
  if (media === undefined || media === null) return content;
  const replaced = Array.isArray(media)
    ? media.map((item, index) => replaceItem(item, `${field}[${index}]`, addressOf))
    : replaceItem(media, field, addressOf);
  return { ...content, media: replaced };
}

function replaceItem(item: unknown, field: string, addressOf: AddressOf): unknown {
  if (isFileItself(item)) return addressOf(item, field);
  if (!isObject(item) || !isFileItself(item.file) || "url" in item) return item;
  const { file, ...described } = item;
  return { ...described, url: addressOf(file, `${field}.file`) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
