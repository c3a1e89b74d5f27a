import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter } from '../../framework/filter.js';
import { splitLines } from '../../format.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { defineTool, ToolFailure } from '../../framework/tool.js';
import { readEach } from './lines.js';

type FoldState = { width: number; atSpaces: boolean };

/** `fold -20` is `-w 20`. */
const translateWidth = (args: readonly Bytes[]) => args.map((word) => word.replace(/^-(\d+)$/, '-w$1'));

export const fold = defineFilter<FoldState>(
  {
    start(tool) {
      const context = { ...tool, args: translateWidth(tool.args) };
      const options = parseOptions(context, ['b,bytes', 's,spaces', 'w,width:']);
      const text = options.value('w') ?? '80';
      if (!/^[1-9]\d*$/.test(text)) throw new ToolFailure(`invalid number of columns: ${quoteName(text)}`);
      return { files: options.operands, state: { width: Number(text), atSpaces: options.has('s') } };
    },
    take(tool, { width, atSpaces }, line, isWhole) {
      let rest = line;
      while (rest.length > width) {
        const space = atSpaces ? rest.lastIndexOf(' ', width - 1) : -1;
        const end = space < 0 ? width : space + 1;
        tool.out(`${rest.slice(0, end)}\n`);
        rest = rest.slice(end);
      }
      tool.out(rest + (isWhole ? '\n' : ''));
    },
  },
  { usage: '[OPTION]... [FILE]...' },
);

export const fmt = defineTool(
  (tool) => {
    const context = { ...tool, args: translateWidth(tool.args) };
    const options = parseOptions(context, [
      'w,width:',
      's,split-only',
      'u,uniform-spacing',
      't',
      'c',
      'g,goal:',
      'p,prefix:',
    ]);
    const width = Number(options.value('w') ?? 75);
    return readEach(tool, options.operands, (text) => {
      for (const paragraph of text.split(/\n(?:[ \t]*\n)+/)) {
        const indent = /^[ \t]*/.exec(paragraph)![0];
        let line = '';
        for (const word of paragraph.split(/\s+/).filter(Boolean)) {
          if (line !== '' && indent.length + line.length + 1 + word.length > width) {
            tool.out(`${indent}${line}\n`);
            line = word;
          } else line = line === '' ? word : `${line} ${word}`;
        }
        tool.out(line === '' ? '\n' : `${indent}${line}\n`);
      }
    });
  },
  { usage: '[-WIDTH] [OPTION]... [FILE]...' },
);

export const expand = defineFilter<{ width: number }>({
  start(tool) {
    const options = parseOptions(tool, ['i,initial', 't,tabs:']);
    return { files: options.operands, state: { width: Number(options.value('t') ?? 8) } };
  },
  take(tool, { width }, line, isWhole) {
    let text = '';
    for (const c of line) text += c === '\t' ? ' '.repeat(width - (text.length % width)) : c;
    tool.out(text + (isWhole ? '\n' : ''));
  },
});

export const unexpand = defineTool((tool) => {
  const options = parseOptions(tool, ['a,all', 't,tabs:']);
  const width = Number(options.value('t') ?? 8);
  return readEach(tool, options.operands, (text) => {
    for (const line of splitLines(text)) {
      const indent = /^[ \t]*/.exec(line)![0];
      const columns = [...indent].reduce(
        (column, c) => (c === '\t' ? column + width - (column % width) : column + 1),
        0,
      );
      tool.out(
        `${'\t'.repeat(Math.floor(columns / width))}${' '.repeat(columns % width)}${line.slice(indent.length)}\n`,
      );
    }
  });
});
