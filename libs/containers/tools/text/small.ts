import type { Bytes } from '../../../engine/kernel/bytes.js';
import { cat } from '../coreutils/text/cat.js';
import { readEach } from '../coreutils/lines/lines.js';
import { splitLines } from '../format.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, type Tool, UsageFailure } from '../framework/tool.js';

/** Pages are not stopped at: the text goes through, as it does in a pipe. */
export const more: Tool = cat;

export const which = defineTool((tool) => {
  const options = parseOptions(tool, ['a', 's']);
  const { sys } = tool;
  let code = 0;
  for (const name of options.operands) {
    const candidates = name.includes('/')
      ? [name]
      : (sys.env['PATH'] ?? '/usr/bin:/bin').split(':').map((path) => `${path === '' ? '.' : path}/${name}`);
    const found = candidates.filter((path) => sys.access(path, 'x') && sys.stat(path).type === 'file');
    for (const path of options.has('a') ? found : found.slice(0, 1)) if (!options.has('s')) tool.out(`${path}\n`);
    if (found.length === 0) code = 1;
  }
  return options.operands.length === 0 ? 1 : code;
});

export const clear = defineTool((tool) => {
  tool.out(tool.flavour === 'gnu' ? '\x1b[H\x1b[2J\x1b[3J' : '\x1b[H\x1b[J');
  return 0;
});

export const strings = defineTool((tool) => {
  const options = parseOptions(tool, ['a', 'f', 'n,bytes:', 'o', 't:']);
  const least = Math.max(1, Number(options.value('n') ?? 4) || 4);
  return readEach(tool, options.operands, (text) => {
    for (const run of text.match(/[\t -~]+/g) ?? []) if (run.length >= least) tool.out(`${run}\n`);
  });
});

export const column = defineTool((tool) => {
  const options = parseOptions(tool, [
    't,table',
    's,separator:',
    'o,output-separator:',
    'c,output-width:',
    'N,table-columns:',
  ]);
  const separators = options.value('s');
  const between = options.value('o') ?? '  ';
  const rows: Bytes[][] = [];
  const code = readEach(tool, options.operands, (text) => {
    for (const line of splitLines(text)) {
      if (line.trim() === '') continue;
      rows.push(separators === undefined ? line.trim().split(/[ \t]+/) : splitAtAny(line, separators));
    }
  });
  if (!options.has('t')) throw new UsageFailure('only tables are printed here: use -t');
  if (options.has('N')) rows.unshift(options.value('N')!.split(','));
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, i) => (i === row.length - 1 && i === count - 1 ? cell : cell.padEnd(widths[i]!)));
    tool.out(
      `${cells.join(between)}${
        row.length < count
          ? between +
            widths
              .slice(row.length)
              .map((w, i, all) => (i === all.length - 1 ? '' : ' '.repeat(w)))
              .join(between)
          : ''
      }`.trimEnd() + '\n',
    );
  }
  return code;
});

function splitAtAny(line: Bytes, separators: Bytes): Bytes[] {
  const cells = [''];
  for (const c of line) {
    if (separators.includes(c)) cells.push('');
    else cells[cells.length - 1] += c;
  }
  return cells;
}
