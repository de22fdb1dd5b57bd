import type { PlanIssue } from "./schema.ts";

export function errorIssue(code: string, field: string, message: string): PlanIssue {
  return { severity: "error", code, field, message };
}

export function tooLong(field: string, message: string): PlanIssue {
  return errorIssue("invalid_request", field, `Too long: ${message}`);
}

/** A warning: the network omits something, but the post is published. */
export function warning(field: string, message: string): PlanIssue {
  return { severity: "warning", code: "unsupported", field, message };
}
