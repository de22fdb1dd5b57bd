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

/** What is asked of a container while it is made, and of one whose publication is in doubt. */
const fieldsFor = { staging: "status,error_message", looking: "id,status,error_message" } as const;

/**
 * A field that only containers have, of a post; and what is not seen everywhere yet.
 * https://github.com/exileum/meta-mcp/issues/143 (2026-09)
 */
export const notThere: ReadonlySet<string> = new Set(["100", "24/4279009"]);

/** Other names than Instagram's. https://developers.facebook.com/docs/threads/troubleshooting (2026-08) */
const containerSchema = z.object({ status: z.string(), error_message: z.string().nullish() });

/** How far a container is; null: Threads shows none under this id. */
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
