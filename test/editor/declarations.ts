import ts from "typescript";
import { describe, expect, it } from "vitest";
import { docsOf, typedPackage } from "./typed-package.ts";

const { declarations, checker } = typedPackage("export {};");

/** The exports of an entry, where they were declared. */
function exportsOf(file: ts.SourceFile): { name: string; symbol: ts.Symbol }[] {
  const module = checker.getSymbolAtLocation(file);
  return checker.getExportsOfModule(module as ts.Symbol).map((symbol) => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
}

/** The fields and methods of an interface, as `Name.field`. */
function fieldsOf({ name, symbol }: { name: string; symbol: ts.Symbol }): { name: string; symbol: ts.Symbol }[] {
  const interfaces = (symbol.declarations ?? []).filter(ts.isInterfaceDeclaration);
  return interfaces
    .flatMap(({ members }) => [...members])
    .flatMap(({ name: field }) => {
      const found = field === undefined ? undefined : checker.getSymbolAtLocation(field);
      return found === undefined ? [] : [{ name: `${name}.${found.name}`, symbol: found }];
    });
}

describe.each([...declarations])("postrider/%s", (_, file) => {
  it("has a comment on every export", () => {
    const bare = exportsOf(file).filter(({ symbol }) => docsOf(symbol, checker) === "");
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it("has a comment on every field of its interfaces", () => {
    const bare = exportsOf(file)
      .flatMap(fieldsOf)
      .filter(({ symbol }) => docsOf(symbol, checker) === "");
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});
