import type { JsonObject } from "../../wire/json.ts";
import { Refusal } from "../parts/refusal.ts";

/** @param code Discord's error code. https://docs.discord.com/developers/topics/opcodes-and-status-codes (2026-08) */
export function refusal(status: number, code: number, message: string, errors?: JsonObject): Refusal {
  return new Refusal(message, { code, status, json: { message, code, errors } });
}

export interface FieldProblem {
  path: readonly (string | number)[];
  code: string;
  message: string;
}

/** "Invalid Form Body": a tree of the fields, with the problems at its leaves. */
export function invalidForm(problems: readonly FieldProblem[]): Refusal {
  const tree: JsonObject = {};
  for (const { path, code, message } of problems) {
    let node = tree;
    for (const step of path) {
      node[String(step)] ??= {};
      node = node[String(step)] as JsonObject;
    }
    node._errors = [{ code, message }];
  }
  return refusal(400, 50035, "Invalid Form Body", tree);
}
