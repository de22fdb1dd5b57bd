import type { SeenRequest } from "../../../src/testing/network-bench.ts";
import { contractFile, type Node, type OpenApiChecker, openApiChecker } from "../../support/openapi.ts";

const contract = contractFile("youtube.json");
/** Why exchanges are not checked against Google's own description of the API; null if they are. */
export const contractAbsent: string | null = "skip" in contract ? contract.skip : null;

let checker: OpenApiChecker | null = null;

/** Every exchange that Google's own description of the API does not allow, one line per finding. It does not contain the sign-in. */
export function contractFindings(seen: readonly SeenRequest[]): string[] {
  if ("skip" in contract) return [];
  checker ??= openApiChecker(contract.file, { amend });
  const findings: string[] = [];
  for (const { method, url, headers, bytes, answer } of seen) {
    if (url.hostname !== "www.googleapis.com") continue;
    const path = url.pathname.replace(/^\/upload/, "");
    // It contains neither refusals nor the upload protocol; an upload's last response is the method's.
    const isUpload = method === "PUT";
    const isJson = headers.get("content-type")?.startsWith("application/json") === true;
    const lines = isJson ? checker.request(method, path, JSON.parse(new TextDecoder().decode(bytes))) : [];
    if (answer?.json !== undefined && answer.status < 300)
      lines.push(...checker.reply(isUpload ? "POST" : method, path, 200, answer.json));
    findings.push(...lines.map((line) => `${method} ${path} ${answer?.status}: ${line}`));
  }
  return findings;
}

type Schemas = Record<string, { properties: Record<string, Node> } & Node>;

/**
 * Additions: fields of the description of 2026-09 that this copy lacks; no other fields in requests; and an upload's
 * first body as a video. https://developers.google.com/youtube/v3/docs/videos (2026-09)
 */
function amend(document: { components: Node; paths: Record<string, Record<string, Node>> }): void {
  const schemas = document.components.schemas as Schemas;
  const { Video, VideoSnippet, VideoStatus, VideoPaidProductPlacementDetails } = schemas;
  Object.assign(VideoStatus?.properties ?? {}, { containsSyntheticMedia: { type: "boolean" } });
  const paid = { type: "object", properties: { hasPaidProductPlacement: { type: "boolean" } } };
  if (VideoPaidProductPlacementDetails === undefined)
    Object.assign(Video?.properties ?? {}, { paidProductPlacementDetails: paid });
  for (const schema of [Video, VideoSnippet, VideoStatus])
    if (schema !== undefined) schema.additionalProperties = false;
  const insert = document.paths["/youtube/v3/videos"]?.post;
  if (insert !== undefined)
    insert.requestBody = { content: { "application/json": { schema: { $ref: "#/components/schemas/Video" } } } };
}
