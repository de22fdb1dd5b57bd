/** Characters of a text that are repeated. */
const maxTextLength = 40;

/**
 * What came, for a message: `the string "10s"`, `the function bluesky`, `a list`.
 * URLs are not repeated, because they may hold a password.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return describeText(value);
    case "number":
      return `the number ${value}`;
    case "function":
      return value.name === "" ? "a function" : `the function ${value.name.slice(0, maxTextLength)}`;
    case "object":
      return value === null ? "null" : describeObject(value);
    default:
      return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
  }
}

/** As `describeValue`, of what must not be repeated. */
export function describeKind(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty string" : "another string";
  return typeof value === "number" ? "a number" : describeValue(value);
}

/** Bytes at hand instead of an address. */
export function isBytes(value: unknown): boolean {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob;
}

function describeText(text: string): string {
  if (text === "") return "an empty string";
  if (text.includes("://")) return "a URL";
  const shown = text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).replace(/\p{Surrogate}$/u, "")}…`;
  return `the string ${JSON.stringify(shown)}`;
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value instanceof Promise) return "a promise: await it first";
  if (isBytes(value)) return value instanceof Blob ? "a Blob" : "bytes";
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name !== "string" || name === "" || name === "Object" ? "an object" : `an object of the class ${name}`;
}
