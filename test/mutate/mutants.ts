import ts from "typescript";

/** One small change to a source file that some test should notice. */
export interface Mutant {
  file: string;
  /** From 1. */
  line: number;
  start: number;
  end: number;
  original: string;
  replacement: string;
}

type Report = (node: ts.Node, replacement: string) => void;

/** All mutants of a file, in the order of its text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const report: Report = (node, replacement) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const { line } = source.getLineAndCharacterOfPosition(start);
    mutants.push({ file, line: line + 1, start, end, original: text.slice(start, end), replacement });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || isTypeOnly(node)) return;
    mutate(node, report);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

export function applied(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function isTypeOnly(node: ts.Node): boolean {
  const declares = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  return declares || ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
}

function mutate(node: ts.Node, report: Report): void {
  if (ts.isBinaryExpression(node)) mutateOperator(node, report);
  else if (ts.isIfStatement(node)) mutateCondition(node.expression, report);
  else if (ts.isConditionalExpression(node)) mutateCondition(node.condition, report);
  else if (ts.isWhileStatement(node)) report(node.expression, "false");
  else if (ts.isPrefixUnaryExpression(node)) mutatePrefix(node, report);
  else if (ts.isPostfixUnaryExpression(node)) {
    report(node, `${node.operand.getText()}${node.operator === ts.SyntaxKind.PlusPlusToken ? "--" : "++"}`);
  } else if (ts.isAwaitExpression(node)) report(node, node.expression.getText());
  else if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) report(node, ";");
  else if (ts.isReturnStatement(node) && node.expression !== undefined) report(node, "return;");
  else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) mutateBody(node.body, report);
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isRead(node)) report(node, "[]");
  else mutateLiteral(node, report);
}

function mutateCondition(condition: ts.Expression, report: Report): void {
  report(condition, "true");
  report(condition, "false");
}

function mutateBody(body: ts.ConciseBody, report: Report): void {
  if (body.getText() !== "undefined" && body.getText() !== "{}") report(body, "undefined");
}

function mutatePrefix(node: ts.PrefixUnaryExpression, report: Report): void {
  const operand = node.operand.getText();
  if (node.operator === ts.SyntaxKind.ExclamationToken) report(node, operand);
  if (node.operator === ts.SyntaxKind.MinusToken) report(node, operand);
  if (node.operator === ts.SyntaxKind.PlusPlusToken) report(node, `--${operand}`);
  if (node.operator === ts.SyntaxKind.MinusMinusToken) report(node, `++${operand}`);
}

/** What each operator may be mistaken for. */
const operators: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "&": ["|"],
  "|": ["&"],
  ">>>": ["<<"],
  "<<": [">>>"],
};

function mutateOperator(node: ts.BinaryExpression, report: Report): void {
  const others = operators[node.operatorToken.getText()] ?? [];
  if (others.includes("-") && [node.left, node.right].some(isText)) return;
  for (const other of others) report(node.operatorToken, other);
}

function isText(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function mutateLiteral(node: ts.Node, report: Report): void {
  if (node.kind === ts.SyntaxKind.TrueKeyword) report(node, "false");
  else if (node.kind === ts.SyntaxKind.FalseKeyword) report(node, "true");
  else if (ts.isNumericLiteral(node)) report(node, node.text === "1" ? "0" : `${Number(node.text) + 1}`);
  else if (ts.isStringLiteral(node) && isRead(node) && !isForPeople(node.text)) {
    report(node, node.text === "" ? '"mutant"' : '""');
  }
}

/** Wording may change without a test. */
function isForPeople(text: string): boolean {
  return text.includes(" ");
}

/** False where a literal stands for a name or a pattern. */
function isRead(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  return !(ts.isBinaryExpression(parent) && parent.left === node && ts.isArrayLiteralExpression(node));
}
