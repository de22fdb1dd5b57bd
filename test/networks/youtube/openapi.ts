import type { SeenRequest } from "../../../src/testing/network-bench.ts";
import { contractFile, type Node, type OpenApiChecker, openApiChecker } from "../../support/openapi.ts";

const contract = contractFile("youtube.json");
/** Why exchanges are not checked against Google's own description of the API; null when they are. */
export const contractAbsent: string | null = "skip" in contract ? contract.skip : null;

let checker: OpenApiChecker | null = null;

/** Every exchange that Google's own description of the API does not allow, one line a finding. The login is not in it. */
export function contractFindings(seen: readonly SeenRequest[]): string[] {
  if ("skip" in contract) return [];
  checker ??= openApiChecker(contract.file, { amend });
  const findings: string[] = [];
  for (const { method, url, headers, bytes, answer } of seen) {
    if (url.hostname !== "www.googleapis.com") continue;
    const path = url.pathname.replace(/^\/upload/, "");
    // Refusals and the protocol of uploads are not in it; the last answer of an upload is that of the method.
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
 * What the description of 2026-09 has and this copy lacks; that what is sent has no other fields; and that an upload's
 * first body is a video. https://developers.google.com/youtube/v3/docs/videos (2026-09)
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
