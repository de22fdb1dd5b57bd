import ts from "typescript";
import { expect, it } from "vitest";
import { typedPackage } from "./typed-package.ts";

const { declarations, checker } = typedPackage("export {};");

/** The symbol itself, where an import or an export only names it. */
function target(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function exportsOf(entry: string): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(declarations.get(entry) as ts.SourceFile);
  return checker.getExportsOfModule(module as ts.Symbol).map(target);
}

/** Where a symbol is declared in the package. */
function ownDeclarations({ declarations: all = [] }: ts.Symbol): ts.Declaration[] {
  return all.filter((each) => each.getSourceFile().fileName.includes("/.declarations/"));
}

/** The package's interfaces and aliases that the declarations of these symbols name, and what those name in turn. */
function namedBy(symbols: readonly ts.Symbol[]): Set<ts.Symbol> {
  const seen = new Set<ts.Symbol>();
  const visit = (symbol: ts.Symbol): void => {
    if (seen.has(symbol)) return;
    const declared = ownDeclarations(symbol);
    if (declared.length === 0) return;
    seen.add(symbol);
    for (const each of declared) each.forEachChild(walk);
  };
  const walk = (node: ts.Node): void => {
    // `Draft["kind"]` gives the type of a field, and `Draft` stays inside.
    if (ts.isIndexedAccessTypeNode(node) && ts.isTypeReferenceNode(node.objectType)) {
      const fields = checker.getTypeAtLocation(node.objectType);
      const name = ts.isLiteralTypeNode(node.indexType) ? (node.indexType.literal as ts.StringLiteral).text : "";
      for (const field of fields.getProperty(name)?.declarations ?? []) field.forEachChild(walk);
      return;
    }
    const found = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (found !== undefined) visit(target(found));
    node.forEachChild(walk);
  };
  symbols.forEach(visit);
  const types = ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias;
  return new Set([...seen].filter(({ flags }) => flags & types));
}

// Without it, a host's `declaration: true` fails, or writes paths that the package does not export.
it("every type that the sandbox takes or gives can be named by its host", () => {
  const exported = exportsOf("sandbox");
  const hidden = [...namedBy(exported)].filter((symbol) => !exported.includes(symbol));
  const places = hidden.map(
    (symbol) => `${symbol.name} of ${symbol.declarations?.[0]?.getSourceFile().fileName.split("/.declarations/")[1]}`,
  );
  expect(places.sort()).toEqual([]);
});
