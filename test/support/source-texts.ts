import ts from "typescript";

/** A string or a doc comment of a source file, as one line of words. */
export interface SourceText {
  line: number;
  text: string;
}

/** The strings and doc comments of a file: messages, descriptions and docstrings. */
export function sourceTexts(path: string, source: string): SourceText[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [])
      if (source.startsWith("/**", pos)) found.set(pos, commentWords(source.slice(pos, end)));
    if (isText(node) && node.getText().includes(" ")) found.set(node.getStart(), node.getText());
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found].map(([pos, text]) => ({ line: file.getLineAndCharacterOfPosition(pos).line + 1, text }));
}

/** A template counts as one text, with the expressions in it. */
function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function commentWords(comment: string): string {
  return comment.replace(/^\/\*\*|\*\/$/g, "").replace(/\s*\n\s*\*?\s*/g, " ");
}
