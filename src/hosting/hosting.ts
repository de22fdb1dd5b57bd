import { mediaError } from "../media/fetch-failure.ts";
import type { ByteRange } from "../media/store/store.ts";
import type { MediaSource } from "../networks/contract/plan.ts";
import type { PullOptions } from "../networks/contract/request.ts";
import { SocialError } from "../wire/errors.ts";
import { toPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import { withRemedy } from "../wire/remedy.ts";
import { createFreeze, type SnapshotFiles } from "./derive.ts";
import { eraseAll } from "./erase-all.ts";
import { findForPost, type HostedFacts } from "./find.ts";
import { createMedia, type Media } from "./media.ts";
import type { HostingPorts } from "./ports.ts";
import type { ShownMedia } from "./rows.ts";
import { listMediaSchema } from "./schema.ts";
import { findServed, type ServedFile } from "./serve.ts";
import { pullProblem, pullProblemAt, signedAddress } from "./signed-url.ts";
import { sweepMedia } from "./sweep.ts";

/** A hosted file, opened for publishing. */
export interface OpenedHosted extends HostedFacts {
  /** Identifies the bytes, which never change. */
  key: string;
  stream: ReadableStream<Uint8Array>;
}

/** The hosted files of all accounts. */
export interface Hosting {
  forAccount(accountId: string): Media;
  /** The key of the file at a URL; null: not a URL of this service. */
  keyOf(url: string): string | null;
  /**
   * The facts of the file at a URL of this service.
   *
   * @throws PublishingError `media_error` if the account has no such file
   */
  inspect(url: string, accountId: string): Promise<HostedFacts>;
  /**
   * The bytes of the file at a URL of this service, or of a range of it. Read the stream to its end, or cancel it.
   *
   * @throws PublishingError `media_error` if the account has no such file
   */
  open(url: string, accountId: string, range?: ByteRange): Promise<OpenedHosted>;
  /** Stores the files of posts before they are sent. Null: the service has no media store. */
  freeze: SnapshotFiles | null;
  /**
   * A URL from which a network can fetch a file of a post.
   *
   * @throws PublishingError `media_error` if the file has no public URL
   */
  signedUrl(source: MediaSource, options: PullOptions): Promise<string>;
  /** Why no network can fetch the file at a URL (null: any stored file), and the remedy. Returns null if none is known. */
  pullProblem(url: string | null): Promise<string | null>;
  /** The file with a key, for any caller. */
  serve(key: string, search: URLSearchParams): Promise<ServedFile | "forbidden" | null>;
  /** Deletes all files of an account. The worker retries what the store fails to delete. */
  eraseAll(accountId: string): Promise<void>;
  /** Deletes the files that are no longer needed. Concurrent calls share one sweep, since a store may be slow. */
  sweep(): Promise<void>;
}

/** @param ports null: the service has no `mediaStore` */
export function createHosting(ports: HostingPorts | null): Hosting {
  if (ports === null) return withoutStore;
  let sweeping: Promise<void> | null = null;
  const find = (url: string, accountId: string): Promise<ShownMedia> => findForPost(ports, accountId, url);
  return {
    forAccount: (accountId) => createMedia(ports, accountId),
    keyOf: ports.addresses.keyOf,
    async inspect(url, accountId) {
      const { private: state, size_bytes } = await find(url, accountId);
      return { ...state.facts, size_bytes };
    },
    async open(url, accountId, range) {
      const { id, private: state, size_bytes } = await find(url, accountId);
      const stream = await ports.store.read(id, range);
      if (stream === null) throw mediaError(url, "is no longer in the media store; upload it again");
      return { ...state.facts, size_bytes, key: id, stream };
    },
    freeze: createFreeze(ports),
    async signedUrl({ url, mime_type = "application/octet-stream", stored }, { seconds, ownHost: own_host }) {
      const key = stored?.key ?? ports.addresses.keyOf(url);
      const problem = key === null ? pullProblemAt(url) : await pullProblem(ports);
      if (problem !== null) throw mediaError(url, `cannot be fetched by the network: ${problem}`);
      return key === null ? new URL(url).href : signedAddress(ports, { key, mime_type }, { seconds, own_host });
    },
    pullProblem: () => pullProblem(ports),
    serve: (key, search) => findServed(ports, key, search),
    eraseAll: (accountId) => eraseAll(ports, accountId),
    sweep() {
      sweeping ??= sweepMedia(ports).finally(() => {
        sweeping = null;
      });
      return sweeping;
    },
  };
}

function withoutStoreFails(): never {
  const message = withRemedy(
    "This service accepts no uploads. Give files as https URLs.",
    "Set createSocialService's mediaStore and baseUrl.",
  );
  throw new SocialError("unsupported", message);
}

const mediaWithoutStore: Media = {
  upload: async () => withoutStoreFails(),
  createUpload: async () => withoutStoreFails(),
  async list(query = {}) {
    return toPage([], 0, parseInput(listMediaSchema, query));
  },
  get: async () => withoutStoreFails(),
  delete: async () => withoutStoreFails(),
  signedUrl: async () => withoutStoreFails(),
};

const withoutStore: Hosting = {
  forAccount: () => mediaWithoutStore,
  keyOf: () => null,
  inspect: async () => withoutStoreFails(),
  open: async () => withoutStoreFails(),
  freeze: null,
  async signedUrl({ url }) {
    const problem = pullProblemAt(url);
    if (problem !== null) throw mediaError(url, `cannot be fetched by the network: ${problem}`);
    return new URL(url).href;
  },
  pullProblem: async (url) => (url === null ? null : pullProblemAt(url)),
  serve: async () => null,
  eraseAll: async () => undefined,
  sweep: async () => undefined,
};
