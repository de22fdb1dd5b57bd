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

/** A hosted file for the module that publishes it. */
export interface OpenedHosted extends HostedFacts {
  /** Names the bytes, which never change. */
  key: string;
  stream: ReadableStream<Uint8Array>;
}

/** The hosted files of all accounts. */
export interface Hosting {
  forAccount(accountId: string): Media;
  /** The key of the file that an address means; null: it is no address of ours. */
  keyOf(url: string): string | null;
  /**
   * What is known of the file at an address of ours.
   *
   * @throws PublishingError `media_error` when the account has no such file
   */
  inspect(url: string, accountId: string): Promise<HostedFacts>;
  /**
   * The bytes of the file at an address of ours, or those of the range. Read the stream to its end, or cancel it.
   *
   * @throws PublishingError `media_error` when the account has no such file
   */
  open(url: string, accountId: string, range?: ByteRange): Promise<OpenedHosted>;
  /** Keeps the files of posts before they are sent. Null: there is no store to keep them in. */
  freeze: SnapshotFiles | null;
  /**
   * Where a network can fetch a file that a post is sent with.
   *
   * @throws PublishingError `media_error` where it has no public address
   */
  signedUrl(source: MediaSource, options: PullOptions): Promise<string>;
  /**
   * Why no network can fetch the file at an address, or any that the service
   * keeps (null), and what to do; null: nothing is known that stands in the way.
   */
  pullProblem(url: string | null): Promise<string | null>;
  /** The file at a URL, for any caller. */
  serve(key: string, search: URLSearchParams): Promise<ServedFile | "forbidden" | null>;
  /** Deletes all files of an account. One that the store does not delete now goes with a later sweep. */
  eraseAll(accountId: string): Promise<void>;
  /** Deletes what nobody needs any more; not twice at once, for a store may be slow. */
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
