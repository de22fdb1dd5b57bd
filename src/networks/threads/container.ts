import * as z from "zod";
import type { NetworkContext } from "../contract/request.ts";
import {
  type ContainerFailure,
  type ContainerState,
  containerStatus,
  lookAtContainer as look,
} from "../shared/meta/container.ts";
import { endpoint } from "./api.ts";
import { fileFailures } from "./errors.ts";

/** The fields to read while a container is made, and when its publication is in doubt. */
const fieldsFor = { staging: "status,error_message", looking: "id,status,error_message" } as const;

/**
 * Codes of a field that only containers have, read on a post; and of an object that is not visible everywhere yet.
 * https://github.com/exileum/meta-mcp/issues/143 (2026-09)
 */
export const notThere: ReadonlySet<string> = new Set(["100", "24/4279009"]);

/** The field names differ from Instagram's. https://developers.facebook.com/docs/threads/troubleshooting (2026-08) */
const containerSchema = z.object({ status: z.string(), error_message: z.string().nullish() });

/** Reads the state of a container. Null: Threads shows none with this id. */
export function lookAtContainer(
  context: Pick<NetworkContext, "request">,
  { id, why }: { id: string; why: keyof typeof fieldsFor },
): Promise<ContainerState | null> {
  return look(context, { url: endpoint([id], { fields: fieldsFor[why] }), read, notThere });
}

function read(body: unknown): ContainerState | null {
  const parsed = containerSchema.safeParse(body);
  if (!parsed.success) return null;
  const { status, error_message } = parsed.data;
  return { status: containerStatus(status), code: error_message ?? null, words: error_message ?? "" };
}

export function failureOf({ code, words }: ContainerState): ContainerFailure {
  const known = Object.hasOwn(fileFailures, code ?? "UNKNOWN") ? fileFailures[code ?? "UNKNOWN"] : undefined;
  if (known !== undefined) return { code: "media_error", message: known.message, passes: known.passes === true };
  return {
    code: "media_error",
    message: `Threads could not process the post's files (${words.slice(0, 200)}).`,
    passes: true,
  };
}
