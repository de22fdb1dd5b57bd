/** The type of every row, request or response body, and stored value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** True: equal values. The order of an object's keys is ignored, because not every database keeps it. */
export function isSameJson(one: Json, other: Json): boolean {
  return inKeyOrder(one) === inKeyOrder(other);
}

function inKeyOrder(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([some], [others]) => (some < others ? -1 : 1)))
      : inner,
  );
}

/** Characters that a text must not contain: some database drivers end a text at NUL, and a lone surrogate has no UTF-8. */
export const unstorableText = /\0|\p{Surrogate}/u;
