import type { SeenRequest } from "../../../src/testing/network-bench.ts";
import { contractFile, type OpenApiChecker, openApiChecker } from "../../support/openapi.ts";

const contract = contractFile("pinterest.json");
/** Why exchanges are not checked against Pinterest's own description of the API; null if they are. */
export const contractAbsent: string | null = "skip" in contract ? contract.skip : null;

let checker: OpenApiChecker | null = null;

/** Every exchange that Pinterest's own description of the API does not allow, one line per finding. */
export function contractFindings(seen: readonly SeenRequest[]): string[] {
  if ("skip" in contract) return [];
  checker ??= openApiChecker(contract.file);
  const findings: string[] = [];
  for (const { method, url, headers, bytes, answer } of seen) {
    if (url.hostname !== "api.pinterest.com" || answer === null) continue;
    const path = url.pathname.replace(/^\/v5/, "");
    const isJson = headers.get("content-type")?.startsWith("application/json") === true;
    const lines = isJson ? checker.request(method, path, JSON.parse(new TextDecoder().decode(bytes))) : [];
    // Client libraries read a time without a zone differently.
    lines.push(...checker.reply(method, path, answer.status, answer.json).filter((line) => !/date-time/.test(line)));
    findings.push(...lines.map((line) => `${method} ${path} ${answer.status}: ${line}`));
  }
  return findings;
}
