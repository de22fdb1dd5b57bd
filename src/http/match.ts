import { unstorableText } from "../wire/json.ts";
import { HttpFailure } from "./answer.ts";
import type { Method, Route } from "./route.ts";

export interface Match {
  route: Route;
  /** The path's last parameter; empty where it has none. */
  id: string;
  /** The one before it; empty where it has none. */
  parentId: string;
}

interface Pattern {
  route: Route;
  steps: readonly string[];
}

/** Finds the route of a request. */
export function createMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  const patternsByLength = new Map<number, Pattern[]>();
  for (const route of routes) {
    const steps = route.path.split("/");
    patternsByLength.set(steps.length, [...(patternsByLength.get(steps.length) ?? []), { route, steps }]);
  }
  return (method, path) => {
    const steps = path.split("/");
    const matching = mostSpecific((patternsByLength.get(steps.length) ?? []).filter((pattern) => fits(pattern, steps)));
    if (matching.length === 0) throw unknownPath(path);
    const found = matching.find(({ route }) => route.method === method);
    if (found === undefined) throw wrongMethod(matching.map(({ route }) => route.method));
    const given = steps.filter((_, index) => isParameter(found.steps[index] ?? "")).map(decode);
    return { route: found.route, id: given.at(-1) ?? "", parentId: given.at(-2) ?? "" };
  };
}

function fits({ steps }: Pattern, given: readonly string[]): boolean {
  return steps.every((step, index) => fitsStep(step, given[index] ?? ""));
}

function fitsStep(step: string, given: string): boolean {
  return isParameter(step) ? given !== "" : step === given;
}

/** `/v1/posts/validate` is not the post named validate. */
function mostSpecific(patterns: Pattern[]): Pattern[] {
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

/** 405, with the methods that the path allows. */
export function wrongMethod(methods: readonly Method[]): HttpFailure {
  return onlyMethods(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])));
}

/** As `wrongMethod`, for a path where reading has an effect: HEAD, which tools send to look, is not allowed. */
export function onlyMethods(methods: readonly string[]): HttpFailure {
  const allowed = [...new Set(methods)];
  const message = `Method not allowed; use ${allowed.join(" or ")}.`;
  return new HttpFailure({ code: "invalid_request", status: 405, message, headers: { allow: allowed.join(", ") } });
}
