/** Seconds after which a learner has seen what a command shows. */
const SECONDS = 10;

const WATCHES = ['-w', '--watch', '--watch-only'];
const FOLLOWS = ['-f', '--follow'];
/** With one of these options a verb of kubectl goes on until somebody presses ^C; with none listed it always does. */
const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['get', WATCHES],
  ['events', WATCHES],
  ['logs', FOLLOWS],
  ['port-forward', []],
  ['proxy', []],
  ['attach', []],
]);
/** What is behind one of these is another command's, or a name. */
const OTHER_VERBS = new Set(['exec', 'run', 'apply', 'create', 'delete', 'describe', 'edit', 'patch', 'set', 'debug']);
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ['watch', []],
  ['tail', ['-f', '-F', '--follow']],
  ['journalctl', FOLLOWS],
]);

/** A command of a solution: a script that goes on has no ^C, so that what only watches ends by itself. */
export const endWatching = (command: string): string =>
  command
    .split('\n')
    .map((line) => (isEndless(line) ? endLine(line) : line))
    .join('\n');

function isEndless(line: string): boolean {
  const [simple = ''] = line.split(/[|;&]/);
  const [tool = '', ...words] = simple.trim().split(/\s+/);
  if (tool !== 'kubectl' && tool !== 'k') return goesOn(words, TOOLS.get(tool));
  const verb = words.find((word) => VERBS.has(word) || OTHER_VERBS.has(word));
  // In the background it holds up nothing.
  return !line.trimEnd().endsWith('&') && goesOn(words, VERBS.get(verb ?? ''));
}

const goesOn = (words: readonly string[], options: readonly string[] | undefined): boolean =>
  options !== undefined && (options.length === 0 || options.some((option) => words.includes(option)));

/** timeout knows no aliases. */
function endLine(line: string): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  return `${indent}timeout ${SECONDS} ${text.startsWith('k ') ? `kubectl${text.slice(1)}` : text}`;
}
