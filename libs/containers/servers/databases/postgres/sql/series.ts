import { type Token, tokenize } from '../../sql/tokens.js';
import { splitList } from './rewrite.js';

const NAME = 'generate_series';
/** What a series in the select list is called in the FROM that it gets. */
const OWN = 'tt_series';
/** Words that end a select's list or its FROM, and so are no aliases. */
const CLAUSES = new Set([
  ...['where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'fetch', 'for', 'union', 'except', 'intersect'],
  ...['returning', 'on', 'join', 'inner', 'left', 'right', 'full', 'cross', 'natural', 'using'],
]);
/** Those at which a select without FROM gets one. */
const ENDS = new Set([...CLAUSES].slice(0, 13));

/** A select that is being read. `waiting`: the series of its list, which is not in its FROM yet. */
interface Level {
  isFrom: boolean;
  waiting: Token[] | undefined;
}

/**
 * generate_series of numbers, which SQLite has not got, as a query that counts. In a select's list it becomes a table
 * of its FROM. Calls of other shapes stay, and are refused as unknown functions are.
 */
export function expandSeries(tokens: readonly Token[]): readonly Token[] {
  return tokens.some(({ key }) => key === NAME) ? new SeriesExpansion(tokens).run() : tokens;
}

class SeriesExpansion {
  private readonly made: Token[] = [];
  private readonly levels: Level[] = [{ isFrom: false, waiting: undefined }];
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  run(): Token[] {
    while (this.at < this.tokens.length) this.take(this.tokens[this.at]!);
    this.addFrom();
    return this.made;
  }

  private get level(): Level {
    return this.levels.at(-1)!;
  }

  private take(token: Token): void {
    const { key } = token;
    if (key === NAME && this.tokens[this.at + 1]?.key === '(') return this.takeCall();
    if (key === '(') this.levels.push({ isFrom: false, waiting: undefined });
    if (key === ')' || key === ';' || ENDS.has(key)) this.addFrom();
    if (key === ')' && this.levels.length > 1) this.levels.pop();
    if (key === 'select' || (ENDS.has(key) && key !== 'on')) this.level.isFrom = false;
    this.made.push(token);
    this.at++;
    if (key === 'from' || key === 'join') this.beginFrom();
  }

  private beginFrom(): void {
    const { level } = this;
    level.isFrom = true;
    if (level.waiting) this.made.push(...level.waiting, ...tokenize(`AS ${OWN},`, 'postgres'));
    level.waiting = undefined;
  }

  private addFrom(): void {
    const { level } = this;
    if (level.waiting) this.made.push(...tokenize('FROM', 'postgres'), ...level.waiting, ...alias(OWN));
    level.waiting = undefined;
  }

  private takeCall(): void {
    const end = this.endOfGroup(this.at + 1);
    const args = splitList(this.tokens.slice(this.at + 2, end));
    const { level } = this;
    if (args.length < 2 || args.length > 3 || args.some((arg) => arg.length === 0) || level.waiting) {
      this.made.push(this.tokens[this.at++]!);
      return;
    }
    this.at = end + 1;
    if (!level.isFrom) {
      level.waiting = series(args, NAME);
      this.made.push(...tokenize(`${OWN}.${NAME}`, 'postgres'));
      return;
    }
    const [name, column] = this.takeAlias();
    this.made.push(...series(args, column), ...alias(name));
  }

  /** `AS s(i)`: the table's name, and its column's, which is the same when it is not said. */
  private takeAlias(): [name: string, column: string] {
    const isSaid = this.tokens[this.at]?.key === 'as';
    const name = this.tokens[this.at + (isSaid ? 1 : 0)];
    const isName = name?.type === 'name' || (name?.type === 'word' && !CLAUSES.has(name.key));
    if (!isName) return [NAME, NAME];
    this.at += isSaid ? 2 : 1;
    const text = name.type === 'word' ? name.key : name.text;
    const column = this.tokens[this.at + 1];
    if (this.tokens[this.at]?.key !== '(' || this.tokens[this.at + 2]?.key !== ')' || !column) return [text, text];
    this.at += 3;
    return [text, column.type === 'word' ? column.key : column.text];
  }

  private endOfGroup(open: number): number {
    let depth = 0;
    for (let i = open; i < this.tokens.length; i++) {
      if (this.tokens[i]!.key === '(') depth++;
      if (this.tokens[i]!.key === ')' && --depth === 0) return i;
    }
    return this.tokens.length;
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const alias = (name: string): Token[] => tokenize(`AS ${quote(name)}`, 'postgres');

/** The query that counts from the first argument to the second, by the third or by 1. */
function series(args: readonly (readonly Token[])[], column: string): Token[] {
  const [from, to, step = tokenize('1', 'postgres')] = args;
  const places: Readonly<Record<string, readonly Token[]>> = { tt_from: from!, tt_to: to!, tt_step: step };
  const sql =
    `(WITH RECURSIVE tt_count(v) AS (SELECT (tt_from) WHERE CASE WHEN (tt_step) > 0 THEN (tt_from) <= (tt_to) ` +
    `ELSE (tt_step) < 0 AND (tt_from) >= (tt_to) END UNION ALL SELECT v + (tt_step) FROM tt_count WHERE CASE WHEN ` +
    `(tt_step) > 0 THEN v + (tt_step) <= (tt_to) ELSE v + (tt_step) >= (tt_to) END) SELECT v AS ${quote(column)} ` +
    `FROM tt_count)`;
  return tokenize(sql, 'postgres').flatMap((token) => places[token.key] ?? [token]);
}
