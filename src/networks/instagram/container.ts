import type { NetworkContext } from "../contract/request.ts";
import {
  type ContainerFailure,
  type ContainerState,
  lookAtContainer as look,
  readContainerState,
} from "../shared/meta/container.ts";
import type { Api } from "./api.ts";
import { fileFailures } from "./errors.ts";
import { readKnown } from "./known.ts";

/** What is asked of a container while it is made, and of one whose publication is in doubt. */
const fieldsFor = { staging: "status_code,status", looking: "id,status_code,status" } as const;

/** "Object does not exist", and a field that only containers have. https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09) */
const notThere: ReadonlySet<string> = new Set(["100", "24/2207006", "24/2207008"]);

/** How far a container is; null: Instagram shows none under this id. */
export function lookAtContainer(
  context: NetworkContext,
  api: Api,
  { id, why }: { id: string; why: keyof typeof fieldsFor },
): Promise<ContainerState | null> {
  const { flavour } = readKnown(context.profile);
  const url = api.endpoint(flavour, [id], { fields: fieldsFor[why] });
  return look(context, { url, read: readContainerState, notThere });
}

export function failureOf({ code, words }: ContainerState): ContainerFailure {
  const known = fileFailures[code ?? ""];
  const detail = words === "" ? "" : ` (${words.slice(0, 200)})`;
  if (known === undefined)
    return { code: "media_error", message: `Instagram could not process a file of the post.${detail}`, passes: true };
  return { code: known.as, message: `${known.message}${detail}`, passes: known.passes === true };
}
