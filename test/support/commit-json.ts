import type { CommitRequest } from "../../src/networks/contract/commit.ts";
import type { JsonObject } from "../../src/wire/json.ts";

/** What a commit says, as JSON, with or without files beside it. */
export function jsonOf({ body }: CommitRequest): JsonObject {
  const [json] =
    "json" in body
      ? [body.json]
      : "multipart" in body
        ? body.multipart.flatMap((field) => ("json" in field ? [field.json] : []))
        : [];
  if (json === undefined) throw new Error("the request holds no JSON");
  return json;
}
