/** An error of an expression while it runs: 'no such key: x', 'division by zero'. */
export class EvaluationError extends Error {}

/** The budget is spent: no operator absorbs it. */
export class CostError extends EvaluationError {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export const noOverload = (): EvaluationError => new EvaluationError('no such overload');

/** One fault of a text, in cel-go's words. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** 'ERROR: <input>:1:5: undefined field 'x'' with the line and a caret below. */
export function issueText(text: string, { at, message }: Issue): string {
  if (!text) return `ERROR: <input>:1:0: ${message}`;
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', start);
  const column = at - start;
  const source = text.slice(start, end < 0 ? undefined : end).replace(/\t/g, ' ');
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${'.'.repeat(column)}^`;
}

export class SyntaxIssue extends Error {
  constructor(readonly issue: Issue) {
    super(issue.message);
  }
}
