/** What every row, wire body and stored value is made of. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether two values say the same, in whatever order an object has its keys: not every database keeps it. */
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

/** What a text must not hold: NUL ends a text in some databases' drivers, a lone surrogate has no UTF-8. */
export const unstorableText = /\0|\p{Surrogate}/u;
