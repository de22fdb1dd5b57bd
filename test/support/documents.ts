import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A Markdown file of the project. */
export interface Document {
  /** From the project's folder on: `examples/express/README.md`. */
  path: string;
  text: string;
}

/** Between three backticks and three backticks. */
export interface Block {
  /** `ts`, `sh`, `text`; empty where none is named. */
  language: string;
  content: string;
  /** The words between this block, or the document's start, and the block before it. */
  before: string;
}

/** A block that shows a file, word for word. */
export interface ShownFile {
  /** From the project's folder on. */
  file: string;
  /** What a block of `text` right behind it says that the file prints; null where there is none. */
  prints: string | null;
}

const notOurs: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", ".git", ".next"]);

/** All of them, by path. */
export function readDocuments(): Document[] {
  const pathsIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : pathsIn(path);
      return entry.name.endsWith(".md") ? [path] : [];
    });
  return pathsIn("")
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

const fenced = /^```(\w*)\n(.*?)^```$/gms;

export function blocksOf({ text }: Document): Block[] {
  let end = 0;
  return [...text.matchAll(fenced)].map(({ 0: whole, 1: language = "", 2: content = "", index }) => {
    const before = text.slice(end, index);
    end = index + whole.length;
    return { language, content, before };
  });
}

const languagesOfCode: ReadonlySet<string> = new Set([
  "ts",
  "tsx",
  "js",
  "jsx",
  "mjs",
  "cjs",
  "typescript",
  "javascript",
]);

export function isCode({ language }: Block): boolean {
  return languagesOfCode.has(language);
}

/** Every block of code that shows a file. */
export function shownFiles(document: Document): ShownFile[] {
  const blocks = blocksOf(document);
  return blocks.flatMap((block, place) => {
    const file = fileShownIn(document, block);
    if (file === null) return [];
    const next = blocks[place + 1];
    // What a program prints follows its text with at most one line between.
    const isOutput = next?.language === "text" && next.before.trim().split("\n").length === 1;
    return { file, prints: isOutput ? next.content : null };
  });
}

/** The file that the line before a block of code links to; null where it links to none. */
export function fileShownIn(document: Document, block: Block): string | null {
  if (!isCode(block)) return null;
  const line = block.before.trimEnd().split("\n").at(-1) ?? "";
  const target = [...line.matchAll(/\]\(([^)\s]+\.[jt]sx?)\)/g)].at(-1)?.[1];
  return target === undefined ? null : resolved(document, target);
}

/** The document with every table and every shown file as the code has them. */
export function regenerated(document: Document, tables: Readonly<Record<string, string>>): string {
  const withTables = document.text.replace(/^<!-- ([\w-]+) -->\n.*?^<!-- \/\1 -->$/gms, (_whole, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`${document.path}: nothing makes ${name}.`);
    return `<!-- ${name} -->\n${table}\n<!-- /${name} -->`;
  });
  let end = 0;
  return withTables.replace(fenced, (whole: string, language: string, content: string, index: number) => {
    const block = { language, content, before: withTables.slice(end, index) };
    end = index + whole.length;
    const file = fileShownIn(document, block);
    if (file === null) return whole;
    const source = readFileSync(join(root, file), "utf8");
    return `\`\`\`${language}\n${source.trimEnd()}\n\`\`\``;
  });
}

/** The names of the tables that a document has. */
export function tablesIn({ text }: Document): string[] {
  return [...text.matchAll(/^<!-- ([\w-]+) -->$/gm)].map(([, name = ""]) => name);
}

export interface Link {
  target: string;
  /** From the project's folder on; null for an address on the web. */
  path: string | null;
  anchor: string | null;
}

export function linksOf(document: Document): Link[] {
  // Brackets in code are no link; code as a link's own words is kept as a word.
  const prose = document.text
    .replace(fenced, "")
    .replace(/`[^`\n]*`(\]?)/g, (_code, close: string) => (close === "" ? "" : "code]"));
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return { target, path: null, anchor: null };
    const [file = "", anchor = null] = target.split("#");
    return { target, path: file === "" ? document.path : resolved(document, file), anchor };
  });
}

/** What may stand behind # in a link to the document, as GitHub makes it of the headings. */
export function anchorsOf({ text }: Document): Set<string> {
  const headings = [...text.replace(fenced, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const anchors = new Set<string>();
  for (const heading of headings) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const name = words.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let free = name;
    for (let count = 1; anchors.has(free); count++) free = `${name}-${count}`;
    anchors.add(free);
  }
  return anchors;
}

/** Every command that a reader is told to type, in a block of `sh` or in the text. */
export function commandsOf(document: Document): string[] {
  const blocks = blocksOf(document).filter(({ language }) => language === "sh");
  const lines = blocks.flatMap(({ content }) => content.split("\n"));
  const inline = [...document.text.replace(fenced, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...lines, ...inline].flatMap((line) => line.split("&&")).map((command) => command.trim());
}

function resolved({ path }: Document, target: string): string {
  return relative(root, normalize(join(root, dirname(path), decodeURIComponent(target))));
}
