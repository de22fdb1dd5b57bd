import { mediaError } from "../media/fetch-failure.ts";
import type { ByteRange } from "../media/store/store.ts";
import { SocialError } from "../wire/errors.ts";
import { createFreeze, type Freeze } from "./derive.ts";
import { findForPost, type HostedFacts } from "./find.ts";
import { createMedia, type Media } from "./media.ts";
import type { HostingPorts } from "./ports.ts";
import type { ShownMedia } from "./rows.ts";
import { findServed, type ServedFile } from "./serve.ts";
import { sweepMedia } from "./sweep.ts";

/** A hosted file for whoever publishes it. */
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
  freeze: Freeze | null;
  /** The file at the end of an address, for whoever asks. */
  serve(key: string, search: URLSearchParams): Promise<ServedFile | "forbidden" | null>;
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
      if (stream === null) throw mediaError(url, "is gone from the media store; upload it again");
      return { ...state.facts, size_bytes, key: id, stream };
    },
    freeze: createFreeze(ports),
    serve: (key, search) => findServed(ports, key, search),
    sweep() {
      sweeping ??= sweepMedia(ports).finally(() => {
        sweeping = null;
      });
      return sweeping;
    },
  };
}

function withoutStoreFails(): never {
  const message = "This service keeps no files: give createSocialService a mediaStore and its baseUrl.";
  throw new SocialError("unsupported", message);
}

const mediaWithoutStore: Media = {
  upload: async () => withoutStoreFails(),
  createUpload: async () => withoutStoreFails(),
  list: async () => withoutStoreFails(),
  get: async () => withoutStoreFails(),
  delete: async () => withoutStoreFails(),
  pullUrl: async () => withoutStoreFails(),
};

const withoutStore: Hosting = {
  forAccount: () => mediaWithoutStore,
  keyOf: () => null,
  inspect: async () => withoutStoreFails(),
  open: async () => withoutStoreFails(),
  freeze: null,
  serve: async () => null,
  sweep: async () => undefined,
};
