import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FindQuery, Storage } from "../../../src/storage/storage.ts";
import { root } from "../../support/documents.ts";

/** A question to a storage, asked from somewhere in the library. */
export type Asked =
  | { call: "find"; collection: Parameters<Storage["find"]>[0]; query: FindQuery }
  | { call: "claim"; collection: Parameters<Storage["claim"]>[0]; options: Parameters<Storage["claim"]>[1] }
  | { call: "claimPosts"; options: Parameters<NonNullable<Storage["claimPosts"]>>[0] }
  | { call: "nextDueAt"; until: number };

export interface Recorder {
  /** A storage that does the same, and takes down what it is asked. */
  watch(storage: Storage): Storage;
  /** Questions, each form of them once: other values are the same form. */
  asked(): Asked[];
  /** Where in the sources the questions came from: `src/posts/posts.ts:120`. */
  places: ReadonlySet<string>;
}

export function createRecorder(): Recorder {
  const forms = new Map<string, Asked>();
  const places = new Set<string>();

  Error.stackTraceLimit = 60;

  function take(asked: Asked): void {
    const asking = placesIn(new Error().stack ?? "");
    // A test may ask, too.
    if (asking.length === 0) return;
    const form = JSON.stringify(asked, (key, value) => formOf(key, value));
    if (!forms.has(form)) forms.set(form, asked);
    for (const place of asking) places.add(place);
  }

  return {
    places,
    asked: () => [...forms.values()],
    watch: (storage) => ({
      ...storage,
      migrate: () => storage.migrate(),
      find(collection, query) {
        take({ call: "find", collection, query });
        return storage.find(collection, query);
      },
      claim(collection, options) {
        take({ call: "claim", collection, options });
        return storage.claim(collection, options);
      },
      async claimPosts(options) {
        take({ call: "claimPosts", options });
        return (await storage.claimPosts?.(options)) ?? [];
      },
      nextDueAt(until) {
        take({ call: "nextDueAt", until });
        return storage.nextDueAt(until);
      },
    }),
  };
}

/** Which values are asked for, and how many of a list, makes no other form. */
function formOf(key: string, value: unknown): unknown {
  if (["call", "collection", "column", "direction"].includes(key)) return value;
  if (Array.isArray(value)) return value.length > 1 ? "several" : "one";
  return typeof value === "object" || typeof value === "boolean" ? value : typeof value;
}

function placesIn(stack: string): string[] {
  return [...stack.matchAll(/(src\/[\w/-]+\.ts):(\d+):\d+/g)].map(([, file, line]) => `${file}:${line}`);
}

/** Questions with a collection, and the helpers that put one to a collection that they are given. */
const question =
  /\bstorage\.(?:find|claim|claimPosts|nextDueAt)\(|\b(?:findPage|deleteFound|eachRow|findAmong)(?:<\w+>)?\(/;
const declaration = /\bfunction\b/;

/** Every place in the sources that asks a storage something. */
export function placesThatAsk(): string[] {
  const folders = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const files = folders.filter(
    (file) => file.endsWith(".ts") && !/^(?:testing|sandbox|networks|storage\/\w+\/)/.test(file),
  );
  return files.flatMap((file) =>
    readFileSync(join(root, "src", file), "utf8")
      .split("\n")
      .flatMap((line, index) => (question.test(line) && !declaration.test(line) ? [`src/${file}:${index + 1}`] : [])),
  );
}
