import { type FileItself, isFileItself } from "../hosting/source.ts";
import type { MediaInput, OverrideContentInput } from "../planning/schema.ts";
import { isRefusal, SocialError } from "../wire/errors.ts";
import type { PostPorts } from "./ports.ts";

/** A file with its description. */
export interface DescribedFile {
  /** The file itself. */
  file: FileItself;
  /** Description of the image, for users who cannot see it. */
  alt?: string | null | undefined;
  /** URL of a video's cover image. */
  thumbnail_url?: string | null | undefined;
}

/** A file of a post: its URL, or, if the service has a `mediaStore`, the file itself. */
export type PostFile = MediaInput | FileItself | DescribedFile;

/** A body whose files need no URL yet: the service uploads them first, like `media.upload`. */
export type WithFiles<Body> = Omit<Body, "media" | "networks"> & {
  /** Files by URL, in order. */
  media?: readonly PostFile[] | undefined;
  /** Overrides by network. */
  networks?: Readonly<Partial<Record<string, Readonly<Record<string, unknown>>>>> | undefined;
};

/** As `WithFiles`, for one network's override. */
export type OverrideWithFiles = Omit<OverrideContentInput, "media"> & {
  /** Files by URL, in order. */
  media?: PostFile | readonly PostFile[] | null | undefined;
};

interface GivenFile {
  source: FileItself;
  /** Its field in the body. */
  field: string;
}

/** Stands for a file that is not uploaded yet, while the rest of the body is validated. */
const placeholder = "https://file.invalid/";

/** The result of a call, and whether a post uses the given files. */
export interface Used<Answer> {
  answer: Answer;
  isUsed: boolean;
}

/**
 * Uploads the files in a body, and calls `act` with their URLs in their places. Nothing is uploaded if the body is
 * invalid, and files that no post uses are deleted.
 *
 * @throws SocialError `invalid_request` naming the file that is rejected · errors of `parse` and `act`
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
    // Only a rejected request proves that no post uses them. Otherwise they are deleted when they expire.
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
  // A file that cannot be deleted now expires in a day.
  await Promise.allSettled(urls.map((url) => media.delete(url)));
}

type AddressOf = (file: FileItself, field: string) => string;

/** The body with a URL in place of each file in `media`, of the post and its overrides. */
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
