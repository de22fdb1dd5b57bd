import { unstorableText } from "../json.ts";
import { HttpFailure } from "./answer.ts";
import type { Method, Route } from "./route.ts";

export interface Match {
  route: Route;
  /** The path's parameter; empty where it has none. */
  id: string;
}

interface Pattern {
  route: Route;
  steps: readonly string[];
}

/** Finds the endpoint of a request. */
export function createMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  const patterns: Pattern[] = routes.map((route) => ({ route, steps: route.path.split("/") }));
  return (method, path) => {
    const steps = path.split("/");
    const matching = mostExact(patterns.filter((pattern) => fits(pattern, steps)));
    if (matching.length === 0) throw unknownPath(path);
    const found = matching.find(({ route }) => route.method === method);
    if (found === undefined) throw wrongMethod(matching.map(({ route }) => route.method));
    const position = found.steps.findIndex(isParameter);
    return { route: found.route, id: position === -1 ? "" : decode(steps[position] ?? "") };
  };
}

function fits({ steps }: Pattern, given: readonly string[]): boolean {
  return steps.length === given.length && steps.every((step, index) => fitsStep(step, given[index] ?? ""));
}

function fitsStep(step: string, given: string): boolean {
  return isParameter(step) ? given !== "" : step === given;
}

/** `/v1/posts/validate` is not the post named validate. */
function mostExact(patterns: Pattern[]): Pattern[] {
  const fixed = patterns.filter(({ steps }) => !steps.some(isParameter));
  return fixed.length > 0 ? fixed : patterns;
}

function isParameter(step: string): boolean {
  return step.startsWith("{");
}

/** What cannot be decoded names nothing that exists. */
function decode(text: string): string {
  try {
    const id = decodeURIComponent(text);
    return unstorableText.test(id) ? "" : id;
  } catch {
    return "";
  }
}

function unknownPath(path: string): HttpFailure {
  return new HttpFailure({ code: "not_found", status: 404, message: `There is no endpoint ${path.slice(0, 200)}.` });
}

/** 405, with what the path does answer. */
export function wrongMethod(methods: readonly Method[]): HttpFailure {
  const allowed = [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].join(", ");
  const message = `This path answers ${allowed}.`;
  return new HttpFailure({ code: "invalid_request", status: 405, message, headers: { allow: allowed } });
}
