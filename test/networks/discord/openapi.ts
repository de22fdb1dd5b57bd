import type { SeenRequest } from "../../../src/testing/network-bench.ts";
import { contractFile, type Node, type OpenApiChecker, openApiChecker } from "../../support/openapi.ts";

const contract = contractFile("discord.json");
/** Why exchanges are not checked against Discord's OpenAPI document; null if they are. */
export const contractAbsent: string | null = "skip" in contract ? contract.skip : null;

let checker: OpenApiChecker | null = null;

/** Every exchange that Discord's OpenAPI document does not allow, one line per finding. */
export async function contractFindings(seen: readonly SeenRequest[]): Promise<string[]> {
  if ("skip" in contract) return [];
  checker ??= openApiChecker(contract.file, { amend });
  const findings: string[] = [];
  for (const { method, url, headers, bytes, answer } of seen) {
    const path = url.pathname.replace("/api/v10", "");
    const body = bytes.length === 0 ? undefined : await jsonOf(headers, bytes);
    const lines = answer !== null && answer.status >= 400 ? [] : checker.request(method, path, body);
    if (answer !== null) lines.push(...checker.reply(method, path, answer.status, answer.json));
    findings.push(...lines.map((line) => `${method} ${path} ${answer?.status}: ${line}`));
  }
  return findings;
}

async function jsonOf(headers: Headers, bytes: Uint8Array): Promise<unknown> {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return JSON.parse(new TextDecoder().decode(bytes));
  const form = await new Response(bytes.slice(), { headers: { "content-type": type } }).formData();
  return JSON.parse(String(form.get("payload_json")));
}

/**
 * Parts of the documentation that the document lacks: names as codes of single
 * fields, and media channels (type 16).
 * https://docs.discord.com/developers/reference, https://docs.discord.com/developers/resources/channel (2026-08)
 */
function amend(document: { components: Node }): void {
  const schemas = document.components.schemas as Record<string, { properties: Record<string, Node> } & Node>;
  const fieldError = { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } };
  if (schemas.InnerErrors?.properties) schemas.InnerErrors.properties._errors = { type: "array", items: fieldError };
  if (schemas.GuildChannelResponse?.properties)
    schemas.GuildChannelResponse.properties.type = { type: "integer", enum: [0, 2, 4, 5, 13, 14, 15, 16] };
}
