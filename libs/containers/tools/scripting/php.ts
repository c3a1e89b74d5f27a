import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type Plain, type Program, sleepUntil } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { runtimes } from './runtimes.js';
import { readLiteral, splitStatements } from './statements.js';

type PhpState = { statements: Bytes[]; until: number };

const VERSION = '8.4.14';
const ERROR_CODE = 255;

/**
 * `php -v`, and `php -r`: echo and print of literals, the version, variables of the environment and names, sleep and
 * exit. Everything else ends with a line that says so. Left out: variables, arithmetic, functions.
 */
const oneLiner = defineSteps<PhpState>({
  start(tool) {
    const [option, program] = tool.args;
    if (option !== '-r') {
      tool.out(shown(tool));
      return 0;
    }
    return program === undefined ? 1 : { statements: splitStatements(program), until: 0 };
  },
  step(tool, state) {
    const { sys } = tool;
    if (sys.now < state.until) return sleepUntil(state.until);
    const statement = state.statements.shift();
    if (statement === undefined) return 0;
    const ending = /^(?:exit|die)(?:\((\d*)\))?$/.exec(statement.replaceAll(' ', ''));
    if (ending !== null) return Number(ending[1] || 0) & 255;
    const seconds = /^sleep\( *(\d+) *\)$/.exec(statement)?.[1];
    if (seconds !== undefined) {
      state.until = sys.now + Number(seconds) * 1_000;
      return sleepUntil(state.until);
    }
    const [, said] = /^(?:echo|print)\b([\s\S]*)$/.exec(statement) ?? [];
    const parts =
      said === undefined
        ? [undefined]
        : splitTerms(said.replace(/^\s*\((.*)\)\s*$/s, '$1')).map((term) => valueOf(tool, term));
    if (parts.includes(undefined)) {
      tool.err(`php: not simulated: ${statement}\n`);
      return ERROR_CODE;
    }
    tool.out(parts.join(''));
    return { type: 'yield' };
  },
});

/** Splits at `.` and `,` that stand outside of quotes, parentheses and numbers. */
function splitTerms(text: Bytes): Bytes[] {
  let [depth, quote] = [0, ''];
  const parts: Bytes[] = [''];
  for (const [i, c] of [...text].entries()) {
    const isInNumber = /^\d\.\d$/.test(text.slice(i - 1, i + 2));
    if (quote !== '') quote = c === quote ? '' : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (depth === 0 && (c === '.' || c === ',') && !isInNumber) {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim());
}

const NAMES: Readonly<Record<string, (tool: FilterContext) => Bytes>> = {
  PHP_EOL: () => '\n',
  PHP_OS: () => 'Linux',
  PHP_VERSION: versionOf,
  'phpversion()': versionOf,
  'gethostname()': ({ sys }) => sys.hostname,
};

function versionOf({ sys }: FilterContext): Bytes {
  return sys.env['PHP_VERSION'] ?? VERSION;
}

function valueOf(tool: FilterContext, term: Bytes): Bytes | undefined {
  if (Object.hasOwn(NAMES, term)) return NAMES[term]!(tool);
  const [, name] = /^getenv\((["'])(\w+)\1\)$/.exec(term)?.slice(1) ?? [];
  if (name !== undefined) return tool.sys.env[name] ?? '';
  // A variable in double quotes would have to be known.
  if (/^"[^"]*\$\w/.test(term)) return undefined;
  return readLiteral(term, false);
}

/** `php -v`. */
const shown = (tool: FilterContext): Bytes => {
  const version = versionOf(tool);
  return `PHP ${version} (cli) (built: Oct 23 2025 20:52:31) (NTS)\nCopyright (c) The PHP Group\nZend Engine v4.${version.slice(2)}, Copyright (c) Zend Technologies\n`;
};

type Either = { isOneLiner: boolean; inner: Plain };
const programOf = ({ isOneLiner }: Pick<Either, 'isOneLiner'>): Program =>
  (isOneLiner ? oneLiner : runtimes['runtime:php']!) as Program;

const either: Program<Either> = {
  start(argv, sys) {
    const isOneLiner = /^(?:-r|-v|--version)$/.test(argv[1] ?? '');
    return { isOneLiner, inner: programOf({ isOneLiner }).start(argv, sys) };
  },
  step: (state, sys) => programOf(state).step(state.inner as never, sys),
};

/** PHP's command line. */
export const php = either as unknown as Program;
