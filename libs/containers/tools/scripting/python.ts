import type { Bytes } from '../../../engine/kernel/bytes.js';
import { sleepUntil } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../filter.js';
import { defineSteps } from '../steps.js';
import { readLiteral, splitStatements } from './statements.js';

type PythonState = { statements: Bytes[]; until: number };

const VERSION = 'Python 3.11.2';

/**
 * Python as far as one-liners of the documentation go: print of literals, time.sleep, os.getenv. Everything else ends
 * with a traceback that says so. Left out: scripts, modules, expressions.
 */
export const python = defineSteps<PythonState>({
  start(tool) {
    const [option, program] = tool.args.filter((word) => word !== '-u' && word !== '-B');
    if (option === '--version' || option === '-V') {
      tool.out(`${VERSION}\n`);
      return 0;
    }
    if (option === '-c') {
      if (program === undefined) {
        tool.err(
          'Argument expected for the -c option\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n',
        );
        return 2;
      }
      return { statements: splitStatements(program), until: 0 };
    }
    if (option === '-m') {
      tool.err(`/usr/bin/python3: No module named ${program ?? ''} (not simulated)\n`);
      return 1;
    }
    if (option !== undefined && !tool.sys.access(option, '')) {
      const path = option.startsWith('/') ? option : `${tool.sys.cwd().replace(/\/$/, '')}/${option}`;
      tool.err(`${tool.name}: can't open file '${path}': [Errno 2] No such file or directory\n`);
      return 2;
    }
    return refuse(tool, option === undefined ? 'the interactive interpreter' : 'scripts', option ?? '<stdin>');
  },
  step(tool, state) {
    const { sys } = tool;
    if (sys.now < state.until) return sleepUntil(state.until);
    const statement = state.statements.shift();
    if (statement === undefined) return 0;
    return run(tool, state, statement) ? { type: 'yield' } : refuse(tool, statement, '<string>');
  },
});

/** False for a statement that is not known. */
function run(tool: FilterContext, state: PythonState, statement: Bytes): boolean {
  if (/^(?:import|from) [\w., ]+$/.test(statement)) return true;
  const seconds = /^time\.sleep\((\d+(?:\.\d+)?)\)$/.exec(statement)?.[1];
  if (seconds !== undefined) {
    state.until = tool.sys.now + Number(seconds) * 1_000;
    return true;
  }
  const printed = /^print\(([\s\S]*)\)$/.exec(statement)?.[1];
  if (printed === undefined) return false;
  const text = valueOf(tool, printed.trim());
  if (text !== undefined) tool.out(`${text}\n`);
  return text !== undefined;
}

function valueOf(tool: FilterContext, expression: Bytes): Bytes | undefined {
  if (expression === '') return '';
  const [, variable, name] = /^os\.(?:environ\[|getenv\(|environ\.get\()(["'])(\w+)\1[\])]$/.exec(expression) ?? [];
  if (variable !== undefined) return tool.sys.env[name!] ?? (expression.includes('[') ? undefined : 'None');
  return readLiteral(expression, true);
}

function refuse(tool: FilterContext, what: Bytes, file: Bytes): number {
  tool.err(`Traceback (most recent call last):\n  File "${file}", line 1, in <module>\n`);
  tool.err(`NotImplementedError: not simulated: ${what}\n`);
  return 1;
}
