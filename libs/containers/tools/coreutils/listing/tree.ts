import { type Bytes, bytesOf } from '../../../../engine/kernel/bytes.js';
import { parseOptions } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext } from '../../framework/tool.js';

const [PASS, CHILD, LAST, BLANK] = ['│   ', '├── ', '└── ', '    '].map(bytesOf) as [Bytes, Bytes, Bytes, Bytes];
/** Entries that are printed, and how deep it goes. */
const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 256;

type Counts = { directories: number; files: number };

/** Directories as a tree. Models miscutils/tree.c of busybox. */
export const tree = defineTool(
  (tool) => {
    const { operands } = parseOptions(tool, []);
    const counts: Counts = { directories: 0, files: 0 };
    for (const path of operands.length === 0 ? ['.'] : operands) {
      tool.out(path);
      printDirectory(tool, path, '', counts, 0);
    }
    tool.out(`\n${counts.directories} directories, ${counts.files} files\n`);
    return 0;
  },
  { usage: '[DIR]...' },
);

function printDirectory(tool: ToolContext, path: Bytes, prefix: Bytes, counts: Counts, depth: number): void {
  let names: Bytes[];
  try {
    names = tool.sys.readDirectory(path).filter((name) => !name.startsWith('.'));
  } catch (error) {
    strerror(error);
    tool.out(' [error opening dir]\n');
    return;
  }
  tool.out('\n');
  tool.sys.charge(1 + names.length);
  for (const [i, name] of names.entries()) {
    if (counts.directories + counts.files >= MAX_ENTRIES) return;
    const isLast = i === names.length - 1;
    const child = `${path}/${name}`;
    const { type } = tool.sys.lstat(child);
    tool.out(`${prefix}${isLast ? LAST : CHILD}${name}`);
    if (type === 'directory') {
      counts.directories++;
      if (depth < MAX_DEPTH) printDirectory(tool, child, prefix + (isLast ? BLANK : PASS), counts, depth + 1);
      continue;
    }
    counts.files++;
    tool.out(type === 'link' ? ` -> ${tool.sys.readLink(child)}\n` : '\n');
  }
}
