import type { Bytes } from '../../../engine/kernel/bytes.js';
import { sleepUntil } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { readLiteral, splitStatements } from './statements.js';

type PerlState = { statements: Bytes[]; addsNewlines: boolean; until: number };

const MAX_DIGITS = 5_000;

/** Pi with this many decimals, rounded, by Machin's formula. */
export function digitsOfPi(digits: number): string {
  const unity = 10n ** BigInt(digits + 10);
  const arccot = (x: bigint): bigint => {
    let [sum, term, n, sign] = [unity / x, unity / x, 3n, -1n];
    for (; (term /= x * x) > 0n; n += 2n, sign = -sign) sum += (sign * term) / n;
    return sum;
  };
  const all = ((4n * (4n * arccot(5n) - arccot(239n)) + 5n * 10n ** 9n) / 10n ** 10n).toString();
  return `${all[0]}.${all.slice(1)}`;
}

/**
 * Perl as far as one-liners of the documentation go: print of literals, sleep, exit, bpi. Everything else dies with a
 * line that says so. Left out: scripts, modules, expressions.
 */
export const perl = defineSteps<PerlState>({
  start(tool) {
    const rest = [...tool.args];
    let [program, addsNewlines]: [Bytes | undefined, boolean] = [undefined, false];
    for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
      if (word === '-v' || word === '--version') {
        tool.out('\nThis is perl 5, version 36, subversion 0 (v5.36.0) built for x86_64-linux-gnu-thread-multi\n');
        return 0;
      }
      if (word.startsWith('-M')) continue;
      if (!/^-[wlE]*[eE]?$/.test(word))
        return die(tool, `Can't open perl script "${word}": No such file or directory`, 2);
      addsNewlines ||= word.includes('l') || word.includes('E');
      if (/[eE]$/.test(word)) program = rest.shift();
    }
    if (program === undefined) return die(tool, 'No code specified for -e.', 2);
    return { statements: splitStatements(program), addsNewlines, until: 0 };
  },
  step(tool, state) {
    const { sys } = tool;
    if (sys.now < state.until) return sleepUntil(state.until);
    const statement = state.statements.shift();
    if (statement === undefined) return 0;
    const ending = /^exit(?:[ (]*(\d+)[ )]*)?$/.exec(statement);
    if (ending !== null) return Number(ending[1] ?? 0) & 255;
    const seconds = /^sleep[ (]+(\d+)[ )]*$/.exec(statement)?.[1];
    if (seconds !== undefined) {
      state.until = sys.now + Number(seconds) * 1_000;
      return sleepUntil(state.until);
    }
    const [, verb, argument = ''] = /^(print|say)\b([\s\S]*)$/.exec(statement) ?? [];
    const text = verb === undefined ? undefined : valueOf(argument.trim());
    if (text === undefined) return die(tool, `not simulated: ${statement} at -e line 1.`, 255);
    tool.out(text + (state.addsNewlines || verb === 'say' ? '\n' : ''));
    return { type: 'yield' };
  },
});

function valueOf(expression: Bytes): Bytes | undefined {
  const inner = /^\(([\s\S]*)\)$/.exec(expression)?.[1]?.trim() ?? expression;
  const digits = /^bpi\((\d+)\)$/.exec(inner)?.[1];
  if (digits !== undefined) return digitsOfPi(Math.max(0, Math.min(Number(digits), MAX_DIGITS) - 1));
  return readLiteral(inner, false);
}

function die(tool: FilterContext, message: string, code: number): number {
  tool.err(`${message}\n`);
  return code;
}
