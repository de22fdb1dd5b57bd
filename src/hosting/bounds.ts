import { SocialError } from "../wire/errors.ts";

/** What one account may do with hosted files. */
export interface MediaBounds {
  maxAccountBytes: number;
  maxFileBytes: number;
  maxUploads: number;
  idleMs: number;
}

export const defaultBounds: MediaBounds = {
  maxAccountBytes: 10_000_000_000,
  maxFileBytes: 2_000_000_000,
  maxUploads: 4,
  idleMs: 30_000,
};

/** What the uploaded file is called in messages: where the request has it. */
export type FileField = "file" | "url";

/** A file that is none of those that are taken. @param problem the rest of a sentence about the file */
export function notTaken(field: FileField, problem: string, cause?: unknown): SocialError {
  return refusal(`The file ${problem}.`, { field, code: "media_error", cause });
}

export function tooLarge(field: string, { maxFileBytes }: MediaBounds): SocialError {
  return refusal(`The file is larger than ${maxFileBytes} bytes, the limit for one file (maxFileBytes).`, {
    field,
    status: 413,
  });
}

export function noRoom(field: string, usedBytes: number, { maxAccountBytes }: MediaBounds): SocialError {
  const message =
    `The account has no space left: its files and uploads use ${usedBytes} of ${maxAccountBytes} bytes ` +
    "(maxAccountBytes). Delete files that you no longer need.";
  return refusal(message, { field, status: 413 });
}

function tooManyUploads({ maxUploads }: MediaBounds): SocialError {
  const message = `${maxUploads} uploads of this account are in progress, the limit (maxUploads); wait until one ends.`;
  return new SocialError("rate_limited", message);
}

export function tooQuiet(field: FileField, { idleMs }: MediaBounds): SocialError {
  return refusal(`No bytes of the file arrived for ${idleMs / 1_000} s (idleMs); send it again.`, {
    field,
    status: 408,
  });
}

function refusal(
  message: string,
  {
    field,
    code = "invalid_request",
    status,
    cause,
  }: { field: string; code?: string; status?: number; cause?: unknown },
): SocialError {
  const details = [{ field, code, message }];
  return new SocialError("invalid_request", "The file was rejected and not stored.", {
    details,
    cause,
    status,
  });
}

/** Lets an account have so many uploads under way in this process. */
export interface UploadSlots {
  /** @throws SocialError `rate_limited` when all are taken */
  hold<Value>(accountId: string, work: () => Promise<Value>): Promise<Value>;
}

export function createUploadSlots(bounds: MediaBounds): UploadSlots {
  const held = new Map<string, number>();
  return {
    async hold(accountId, work) {
      const before = held.get(accountId) ?? 0;
      if (before >= bounds.maxUploads) throw tooManyUploads(bounds);
      held.set(accountId, before + 1);
      try {
        return await work();
      } finally {
        const left = (held.get(accountId) ?? 1) - 1;
        if (left > 0) held.set(accountId, left);
        else held.delete(accountId);
      }
    },
  };
}
