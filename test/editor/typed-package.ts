import { fileURLToPath } from "node:url";
import ts from "typescript";
import { entries } from "../../tsup.config.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outDir = `${root}.declarations`;

/** The package as a host's editor sees it: its declarations, in memory, and one file of the host. */
export interface TypedPackage {
  service: ts.LanguageService;
  hostPath: string;
  /** The declarations of each entry, by the entry's name. */
  declarations: ReadonlyMap<string, ts.SourceFile>;
  checker: ts.TypeChecker;
  /** The type of that name in the host's file. */
  typeNamed(name: string): ts.Type;
}

/** Each host file has its own name, by which its text is found. */
let hosts = 0;

/** @param host the text of the host's file, which imports from `postrider` */
export function typedPackage(host: string): TypedPackage {
  const options = compilerOptions();
  hosts += 1;
  const hostPath = `${outDir}/host${hosts}.ts`;
  const files = new Map([...emitDeclarations(options), [hostPath, host]]);
  const entryPaths = new Map(Object.entries(entries).map(([name, source]) => [name, declarationOf(source)]));
  const paths = Object.fromEntries(
    [...entryPaths].map(([name, path]) => [name === "index" ? "postrider" : `postrider/${name}`, [path]]),
  );
  const service = ts.createLanguageService(
    languageServiceHost({ ...options, paths }, { files, roots: [hostPath, ...entryPaths.values()] }),
    sourceFiles,
  );
  const program = service.getProgram();
  if (program === undefined) throw new Error("there is no program");
  const declarations = new Map([...entryPaths].map(([name, path]) => [name, sourceFile(program, path)]));
  const checker = program.getTypeChecker();
  const typeNamed = (name: string): ts.Type => {
    const found = sourceFile(program, hostPath).statements.find(
      (each) => ts.isTypeAliasDeclaration(each) && each.name.text === name,
    );
    if (found === undefined) throw new Error(`the host has no type ${name}`);
    return checker.getTypeAtLocation(found);
  };
  return { service, hostPath, declarations, checker, typeNamed };
}

/** The text as one line: comments are wrapped. */
export function docsOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return inOneLine(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
}

export function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function sourceFile(program: ts.Program, path: string): ts.SourceFile {
  const file = program.getSourceFile(path);
  if (file === undefined) throw new Error(`there is no ${path}`);
  return file;
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root).options;
}

function declarationOf(source: string): string {
  return `${outDir}/${source.replace(/^src\//, "").replace(/\.ts$/, ".d.ts")}`;
}

/** Files that no host changes, read once for all of them. */
const sourceFiles = ts.createDocumentRegistry();

let emitted: ReadonlyMap<string, string> | undefined;

/** The same for all tests of a process. */
function emitDeclarations(options: ts.CompilerOptions): ReadonlyMap<string, string> {
  if (emitted !== undefined) return emitted;
  const files = new Map<string, string>();
  // Their sources are checked by `npm run typecheck`, which takes four times as long.
  const emitting = { ...options, noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true };
  const roots = Object.values(entries).map((source) => root + source);
  const program = ts.createProgram(roots, { ...emitting, outDir, rootDir: `${root}src` });
  program.emit(undefined, (path, text) => files.set(path, text));
  emitted = files;
  return files;
}

function languageServiceHost(
  options: ts.CompilerOptions,
  { files, roots }: { files: ReadonlyMap<string, string>; roots: string[] },
): ts.LanguageServiceHost {
  const folders = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf("/"))));
  const read = (path: string): string | undefined => files.get(path) ?? ts.sys.readFile(path);
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => roots,
    getScriptVersion: () => "1",
    getScriptSnapshot(path) {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
    directoryExists: (path) => folders.has(path) || ts.sys.directoryExists(path),
    readFile: read,
  };
}
