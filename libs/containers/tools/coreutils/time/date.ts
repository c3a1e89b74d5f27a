import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { Options, parseOptions, quoteName } from '../../framework/options.js';
import { defineTool, ToolFailure, UsageFailure } from '../../framework/tool.js';
import { formatDate, formatterOf } from './date-format.js';
import { readDate } from './date-input.js';

const OPTIONS = [
  ...[
    'd,date:',
    'f,file:',
    'I,iso-8601::',
    'r,reference:',
    'R,rfc-email,rfc-2822',
    'rfc-3339:',
    's,set:',
    'u,utc,universal',
  ],
  'D:',
];
const ISO: Readonly<Record<string, string>> = {
  ...{ '': '%F', date: '%F', hours: '%FT%H%:z', minutes: '%FT%H:%M%:z', seconds: '%FT%H:%M:%S%:z' },
  ns: '%FT%H:%M:%S,%N%:z',
};

/** Containers have no time zones installed but UTC. */
export const date = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const { sys, flavour } = tool;
    const [operand, extra] = options.operands;
    if (extra !== undefined) throw new UsageFailure(flavour === 'gnu' ? `extra operand ${quoteName(extra)}` : '');
    const given = options.value('d') ?? options.value('s');
    const at =
      given !== undefined
        ? readDate(given, sys.clock)
        : options.has('r')
          ? sys.stat(options.value('r')!).modified
          : sys.clock;
    if (at === undefined)
      throw new ToolFailure(flavour === 'gnu' ? `invalid date ${quoteName(given!)}` : `invalid date '${given}'`);
    if (operand !== undefined && !operand.startsWith('+')) {
      if (flavour === 'busybox') throw new ToolFailure(`invalid date '${operand}'`);
      if (!/^\d{8,12}(?:\.\d\d)?$/.test(operand)) throw new ToolFailure(`invalid date ${quoteName(operand)}`);
    }
    const isSetting = options.has('s') || (operand !== undefined && !operand.startsWith('+'));
    if (isSetting) {
      // The clock is the node's: a container lacks CAP_SYS_TIME.
      tool.warn(
        flavour === 'gnu' ? 'cannot set date: Operation not permitted' : "can't set date: Operation not permitted",
      );
    }
    tool.out(`${formatDate(formatOf(options, operand), at)}\n`);
    return isSetting ? 1 : 0;
  },
  { usage: '[OPTION]... [+FORMAT]', clock: clockOf },
);

/** What a command line without a date of its own prints at a time; undefined: that is not sure. */
function clockOf(argv: readonly Bytes[]): ((now: number) => Bytes) | undefined {
  const all: [string, Bytes][] = [];
  const operands: Bytes[] = [];
  for (const word of argv.slice(1)) {
    if (word.startsWith('+')) operands.push(word);
    else if (word === '-R') all.push(['R', '']);
    else if (word.startsWith('-I') && word.slice(2) in ISO) all.push(['I', word.slice(2)]);
    else if (word !== '-u' && word !== '--utc' && word !== '--universal') return undefined;
  }
  if (operands.length > 1) return undefined;
  const format = formatterOf(formatOf(new Options(all, operands), operands[0]));
  return (now) => `${format(now)}\n`;
}

function formatOf(options: ReturnType<typeof parseOptions>, operand: Bytes | undefined): Bytes {
  if (operand?.startsWith('+') === true) return operand.slice(1);
  if (options.has('R')) return '%a, %d %b %Y %T %z';
  if (options.has('rfc-3339'))
    return { date: '%F', seconds: '%F %T%:z', ns: '%F %T.%N%:z' }[options.value('rfc-3339')!] ?? '%F';
  if (!options.has('I')) return '%a %b %e %H:%M:%S %Z %Y';
  const precision = Object.keys(ISO).find(
    (key) => key.startsWith(options.value('I')!) && (key !== '' || options.value('I') === ''),
  );
  if (precision === undefined)
    throw new ToolFailure(`invalid argument ${quoteName(options.value('I')!)} for ${quoteName('--iso-8601')}`);
  return ISO[precision]!;
}
