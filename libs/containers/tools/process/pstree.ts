import { bytesOf } from '../../../engine/kernel/bytes.js';
import type { ProcessInfo } from '../../../engine/kernel/process/syscalls.js';
import { parseOptions } from '../framework/options.js';
import { defineTool } from '../framework/tool.js';

const OPTIONS = [
  'a,arguments',
  'p,show-pids',
  'A,ascii',
  'U,unicode',
  'l,long',
  'n,numeric-sort',
  'c,compact-not',
  's',
  'T',
  't',
];
const MAX_DEPTH = 60;

/** Models psmisc's pstree. Left out: merging of equal branches with -p and -a, threads, users. */
export const pstree = defineTool((tool) => {
  const options = parseOptions(tool, OPTIONS);
  const processes = tool.sys.processes();
  const [root = '1'] = options.operands;
  const first = processes.find(({ pid }) => String(pid) === root) ?? processes[0];
  const label = (one: ProcessInfo): string => {
    const pid = options.has('p') ? (options.has('a') ? `,${one.pid}` : `(${one.pid})`) : '';
    return `${one.name}${pid}${options.has('a') && one.argv.length > 1 ? ` ${one.argv.slice(1).join(' ')}` : ''}`;
  };
  const lines: string[] = [];
  const walk = (one: ProcessInfo, head: string, rest: string, depth: number): void => {
    const children =
      depth > MAX_DEPTH ? [] : processes.filter(({ parent, pid }) => parent === one.pid && pid !== one.pid);
    lines.push(head + label(one));
    // With arguments each process has a line of its own; else a branch goes on to the right.
    children.forEach((child, i) => {
      const isLast = i === children.length - 1;
      walk(child, `${rest}  ${isLast ? '`' : '|'}-`, `${rest}  ${isLast ? ' ' : '|'} `, depth + 1);
    });
  };
  if (first) walk(first, '', '', 0);
  tool.out(bytesOf(lines.map((line) => `${line}\n`).join('')));
  return first ? 0 : 1;
});
