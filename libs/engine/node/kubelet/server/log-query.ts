import type { Query } from '../../../machinery/requests/query.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';

const MAX_LINES = 100_000;
/** Upstream's own message says 100. */
const MAX_NAME = 256;
const MAX_SERVICES = 4;

/** What is asked of a node's logs. Models kubelet_server_journal.go nodeLogQuery. */
export interface LogQuery {
  readonly services: readonly string[];
  readonly files: readonly string[];
  readonly since?: Millis;
  readonly until?: Millis;
  readonly lines?: number;
  readonly boot?: number;
  readonly pattern?: string;
  /** Any of the above beside services and files. */
  readonly hasOptions: boolean;
}

const goStrings = (texts: readonly string[]): string =>
  `[]string{${texts.map((one) => JSON.stringify(one)).join(', ')}}`;
const goList = (texts: readonly string[]): string => `[${texts.join(' ')}]`;
const invalid = (field: string, value: string, why: string): string => `${field}: Invalid value: ${value}: ${why}`;

/** Models field.ErrorList.ToAggregate: one problem by itself, several in brackets. */
const aggregate = (problems: readonly string[]): string | undefined =>
  problems.length > 1 ? `[${problems.join(', ')}]` : problems[0];

/** Undefined: nothing of it is asked. `problem`: a parameter that cannot be read. Models newNodeLogQuery. */
export function parseLogQuery(parameters: Query): LogQuery | { readonly problem: string } | undefined {
  const problems: string[] = [];
  const queries = parameters.all('query');
  const files = queries.filter((one) => /[/\\]/.test(one));
  const services = queries.filter((one) => !/[/\\]/.test(one) && one.trim() !== '');
  if (queries.length > 0 && files.length + services.length === 0)
    problems.push(invalid('query', goStrings(queries), 'query cannot be empty'));
  const timeOf = (name: string): Millis | undefined => {
    const at = parameters.text(name) === '' ? undefined : parseTimestamp(parameters.text(name));
    if (Number.isNaN(at)) problems.push(invalid(name, JSON.stringify(parameters.text(name)), 'invalid time format'));
    return at;
  };
  const numberOf = (name: string): number | undefined => {
    const text = parameters.text(name);
    if (text === '' || /^[+-]?\d{1,9}$/.test(text)) return text === '' ? undefined : Number(text);
    const quoted = JSON.stringify(text);
    problems.push(invalid(name, quoted, `strconv.Atoi: parsing ${quoted}: invalid syntax`));
    return undefined;
  };
  const [since, until] = [timeOf('sinceTime'), timeOf('untilTime')];
  const [boot, lines] = [numberOf('boot'), numberOf('tailLines')];
  const pattern = parameters.text('pattern') || undefined;
  const problem = aggregate(problems);
  if (problem !== undefined) return { problem };
  const options = Object.entries({ since, until, boot, lines, pattern }).filter(([, value]) => value !== undefined);
  if (options.length + services.length + files.length === 0) return undefined;
  return { services, files, ...Object.fromEntries(options), hasOptions: options.length > 0 };
}

/** What contradicts itself, if anything. `exists`: of a file below /var/log. Models nodeLogQuery.validate. */
export function findQueryProblem(query: LogQuery, exists: (file: string) => boolean): string | undefined {
  const { services, files, since, until, boot, lines } = query;
  const problems = services.flatMap((name) => {
    const why = unsafe(name);
    return why === undefined ? [] : [invalid('query', JSON.stringify(name), why)];
  });
  if (services.length > MAX_SERVICES)
    problems.push(`query: Too many: ${services.length}: must have at most ${MAX_SERVICES} items`);
  if (files.length + services.length === 0) problems.push('query: Required value: cannot be empty with options');
  else if (files.length > 0 && services.length > 0)
    problems.push(
      invalid('query', JSON.stringify(`${goList(files)}, ${goList(services)}`), 'cannot specify a file and service'),
    );
  else if (files.length > 1) problems.push(invalid('query', goStrings(files), 'cannot specify more than one file'));
  else if (files.length === 1 && query.hasOptions)
    problems.push(invalid('query', goStrings(files), 'cannot specify file with options'));
  else if (files.length === 1 && !exists(files[0]!)) {
    const path = `/var/log/${files[0]!.replace(/^\/+/, '')}`;
    problems.push(invalid('query', goStrings(files), `stat ${path}: no such file or directory`));
  }
  if (since !== undefined && until !== undefined && since > until)
    problems.push(invalid('untilTime', JSON.stringify(new Date(until).toISOString()), 'must be after `sinceTime`'));
  if (boot !== undefined && boot > 0) problems.push(invalid('boot', String(boot), 'must be less than 1'));
  if (lines !== undefined && (lines < 0 || lines > MAX_LINES))
    problems.push(invalid('tailLines', String(lines), `must be between 0 and ${MAX_LINES}, inclusive`));
  return aggregate(problems);
}

/** Models safeServiceName. */
function unsafe(name: string): string | undefined {
  if (name.length > MAX_NAME) return 'length must be less than 100';
  return /[^a-zA-Z\-_0-9@]/.test(name) ? 'input contains unsupported characters' : undefined;
}

/** Models kubelet_server_journal_linux.go getLoggingCmd. */
export function journalCommand(
  { since, until, lines, pattern, boot = 0 }: LogQuery,
  services: readonly string[],
): string[] {
  return [
    ...['journalctl', '--utc', '--no-pager', '--output=short-precise'],
    ...(since === undefined ? [] : [`--since=${journalTime(since)}`]),
    ...(until === undefined ? [] : [`--until=${journalTime(until)}`]),
    ...(lines === undefined ? [] : ['--pager-end', `--lines=${lines}`]),
    ...services.map((name) => `--unit=${name}`),
    ...(pattern === undefined ? [] : [`--grep=${pattern}`, '--case-sensitive=false']),
    `--boot=${boot}`,
  ];
}

const journalTime = (at: Millis): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
