import type { MediaFacts } from "../media/probe/facts.ts";
import type { PlannedMedia } from "../networks/contract/plan.ts";
import { PublishingError } from "../wire/errors.ts";

/** A file named by a post. */
export interface MediaRequest {
  url: string;
  alt: string | null;
  thumbnail_url: string | null;
}

export type MediaResult = PlannedMedia | { error: PublishingError };

/**
 * Reads the facts of the file at a URL. Waits while the account, or all accounts together, are at their limit of
 * concurrent reads.
 *
 * @throws PublishingError `media_error`
 */
export type InspectMedia = (url: string, accountId: string) => Promise<MediaFacts & { size_bytes: number | null }>;

export interface MediaReader {
  read(request: MediaRequest): Promise<MediaResult>;
  hasRead(url: string): boolean;
}

/** Reads the facts of each file once, however often it is named. */
export function createMediaReader(inspect: (url: string) => ReturnType<InspectMedia>): MediaReader {
  const seen = new Map<string, ReturnType<InspectMedia>>();
  return {
    hasRead: (url) => seen.has(url),
    async read(request) {
      const inspection = seen.get(request.url) ?? inspect(request.url);
      seen.set(request.url, inspection);
      try {
        return { ...(await inspection), ...request };
      } catch (error) {
        if (PublishingError.is(error)) return { error };
        throw error;
      }
    },
  };
}
