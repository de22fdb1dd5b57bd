import { posix } from "node:path";
import ts from "typescript";

/** One import or re-export. */
export interface ImportFact {
  /** A file below src (`posts/rows.ts`), or a module's name (`node:net`, `zod`). */
  from: string;
  own: boolean;
  /** Gone after compiling. */
  typeOnly: boolean;
  /** The values it takes; `*` for all of them. */
  values: string[];
}

/** What a source file does, as far as the rules of architecture care. */
export interface SourceFacts {
  /** Below src: `posts/rows.ts`. */
  path: string;
  lines: number;
  /** Its functions' lines, without those of functions within. */
  functions: { name: string; lines: number }[];
  imports: ImportFact[];
  /** Names it uses without declaring or importing them, `Date.now` and `new Date()` style included. */
  globals: string[];
  /** Syntax that is not wanted: "any", "enum", "namespace", "default export", "class that is no error", "two doc comments". */
  syntax: string[];
}

export function readFacts(path: string, text: string): SourceFacts {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: ImportFact[] = [];
  const used = new Set<string>();
  const declared = new Set<string>();
  const syntax = new Set<string>();
  const functions: SourceFacts["functions"] = [];

  function visit(node: ts.Node): void {
    const imported = importOf(node, path);
    if (imported !== null) imports.push(imported);
    if (ts.isFunctionLike(node)) functions.push({ name: nameOfFunction(node), lines: ownLines(node, source) });
    const unwanted = unwantedSyntax(node);
    if (unwanted !== null) syntax.add(unwanted);
    const name = declaredName(node);
    if (name !== null) declared.add(name);
    for (const use of usesOf(node)) used.add(use);
    ts.forEachChild(node, visit);
  }
  visit(source);

  const globals = [...used].filter((use) => !declared.has(use.split(".")[0] ?? use)).sort();
  return { path, lines: text.split("\n").length - 1, functions, imports, globals, syntax: [...syntax].sort() };
}

function nameOfFunction({ name, parent }: ts.SignatureDeclaration): string {
  const named = name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return named?.getText() ?? "a function without a name";
}

/** A nested function counts as the one line that it stands on. */
function ownLines(node: ts.Node, source: ts.SourceFile): number {
  const linesOf = (each: ts.Node): number =>
    source.getLineAndCharacterOfPosition(each.end).line -
    source.getLineAndCharacterOfPosition(each.getStart(source)).line;
  const nestedLines = (each: ts.Node): number => {
    let lines = 0;
    ts.forEachChild(each, (child) => {
      lines += ts.isFunctionLike(child) ? linesOf(child) : nestedLines(child);
    });
    return lines;
  };
  return linesOf(node) + 1 - nestedLines(node);
}

function importOf(node: ts.Node, path: string): ImportFact | null {
  if (ts.isImportDeclaration(node)) {
    const { importClause: clause } = node;
    const bindings = clause?.namedBindings;
    const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
    const whole = clause === undefined || clause.name !== undefined || (bindings && ts.isNamespaceImport(bindings));
    return toImport(path, node.moduleSpecifier, {
      typeOnly: clause?.isTypeOnly === true,
      whole: whole === true,
      named,
    });
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const named =
      node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    return toImport(path, node.moduleSpecifier, { typeOnly: node.isTypeOnly, whole: named.length === 0, named });
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    return specifier === undefined ? null : toImport(path, specifier, { typeOnly: false, whole: true, named: [] });
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return toImport(path, node.argument.literal, { typeOnly: true, whole: true, named: [] });
  }
  return null;
}

function toImport(
  path: string,
  specifier: ts.Node,
  clause: { typeOnly: boolean; whole: boolean; named: Iterable<ts.ImportSpecifier | ts.ExportSpecifier> },
): ImportFact {
  const text = ts.isStringLiteralLike(specifier) ? specifier.text : specifier.getText();
  const own = text.startsWith(".");
  const taken = [...clause.named].filter(({ isTypeOnly }) => !isTypeOnly);
  const values = clause.whole ? ["*"] : taken.map(({ name, propertyName }) => (propertyName ?? name).text);
  const typeOnly = clause.typeOnly || values.length === 0;
  return { from: own ? posix.join(posix.dirname(path), text) : text, own, typeOnly, values: typeOnly ? [] : values };
}

function unwantedSyntax(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return "any";
  if (isDocumentedTwice(node)) return "two doc comments";
  if (ts.isEnumDeclaration(node)) return "enum";
  if (ts.isModuleDeclaration(node)) return "namespace";
  if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword) {
    return ts.isDefaultClause(node.parent) ? null : "default export";
  }
  if (ts.isExportSpecifier(node) && node.name.text === "default") return "default export";
  if (ts.isClassLike(node) && !node.heritageClauses?.some((clause) => /^extends Error\b/.test(clause.getText()))) {
    return "class that is no error";
  }
  return null;
}

/** Editors show the last of them. One that stands apart is about the file. */
function isDocumentedTwice(node: ts.Node): boolean {
  const text = node.getSourceFile().text.slice(node.pos, node.getStart());
  return /\*\/[ \t]*\n[ \t]*\/\*\*/.test(text);
}

function declaredName(node: ts.Node): string | null {
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportClause(node);
  return declares && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : null;
}

function usesOf(node: ts.Node): string[] {
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length)
    return ["new Date()"];
  if (!ts.isIdentifier(node)) return [];
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return [`${node.text}.${parent.name.text}`];
  if (ts.isPropertyAccessExpression(parent)) return parent.expression.getText() === "globalThis" ? [node.text] : [];
  if (ts.isShorthandPropertyAssignment(parent)) return [node.text];
  const names = "name" in parent && parent.name === node;
  const renames = "propertyName" in parent && parent.propertyName === node;
  return names || renames || ts.isTypeNode(parent) || ts.isQualifiedName(parent) ? [] : [node.text];
}
