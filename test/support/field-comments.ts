import ts from "typescript";

/** What makes an object's schema of fields, by whose comments an editor says what they are. */
const makers: ReadonlySet<string> = new Set(["documentedObject", "documentedAnswer"]);

export function hasFields(text: string): boolean {
  return [...makers].some((maker) => text.includes(`${maker}({`));
}

/** A file of schemas, with what each field's `describe` says as the comment above the field. */
export function withFieldComments(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const edits = fieldsIn(file).flatMap((field) => editOf(field, file));
  return edits.reduceRight((edited, { from, to, put }) => edited.slice(0, from) + put + edited.slice(to), text);
}

/** In the order of the text. */
function fieldsIn(file: ts.SourceFile): ts.PropertyAssignment[] {
  const found: ts.PropertyAssignment[] = [];
  const visit = (node: ts.Node): void => {
    const isSchema = ts.isObjectLiteralExpression(node) && isMade(node);
    if (isSchema) found.push(...node.properties.filter(ts.isPropertyAssignment));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort((one, other) => one.getStart() - other.getStart());
}

function isMade({ parent }: ts.ObjectLiteralExpression): boolean {
  return ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && makers.has(parent.expression.text);
}

interface Edit {
  from: number;
  to: number;
  put: string;
}

function editOf(field: ts.PropertyAssignment, file: ts.SourceFile): Edit[] {
  const said = describedBy(field.initializer);
  if (said === null) return [];
  const indent = " ".repeat(file.getLineAndCharacterOfPosition(field.getStart()).character);
  const comment = commentOf(said, indent);
  const [above] = (ts.getLeadingCommentRanges(file.text, field.getFullStart()) ?? []).slice(-1);
  if (above !== undefined) return [{ from: above.pos, to: above.end, put: comment }];
  return [{ from: field.getStart(), to: field.getStart(), put: `${comment}\n${indent}` }];
}

const longestLine = 120;

function commentOf(said: string, indent: string): string {
  const short = `/** ${said} */`;
  if (indent.length + short.length <= longestLine) return short;
  const lines: string[] = [];
  for (const word of said.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && indent.length + " *".length + longer.length <= longestLine)
      lines[lines.length - 1] = longer;
    else lines.push(` ${word}`);
  }
  return ["/**", ...lines.map((line) => `${indent} *${line}`), `${indent} */`].join("\n");
}

/** What the last `describe` of a chain of calls is given, where it is a text; null: there is none. */
function describedBy(schema: ts.Expression): string | null {
  if (!ts.isCallExpression(schema) || !ts.isPropertyAccessExpression(schema.expression)) return null;
  const { name, expression } = schema.expression;
  if (name.text !== "describe") return describedBy(expression);
  const [said] = schema.arguments;
  return said !== undefined && ts.isStringLiteralLike(said) ? said.text : null;
}
