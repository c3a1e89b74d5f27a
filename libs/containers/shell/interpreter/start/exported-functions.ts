import type { Bytes } from '../../kernel.js';
import { parseUnit } from '../../syntax/unit.js';
import type { Shell } from '../shell.js';

const PREFIX = 'BASH_FUNC_';
const SUFFIX = '%%';

/** bash: functions that the environment brings (`export -f`). What is not just one function is left alone. */
export function importFunctions(shell: Shell): void {
  for (const [variable, value] of Object.entries(shell.sys.env)) {
    const name = variable.slice(PREFIX.length, -SUFFIX.length);
    if (!isExported(variable) || name === '' || !value.startsWith('() {')) continue;
    const text = `${name} ${value}`;
    const { nodes, errors } = parseUnit(text);
    const node = nodes.findIndex(({ type }) => type === 'Function');
    const [list] = nodes;
    const isAlone = errors.length === 0 && list?.type === 'CompoundList' && list.commands.length === 1 && node === 2;
    if (!isAlone) continue;
    const source = shell.addSource({ text, line: 0, name: 'environment', kind: 'file' });
    shell.state.functions[name] = { source, node, marks: 'x' };
  }
}

export const isExported = (variable: Bytes): boolean => variable.startsWith(PREFIX) && variable.endsWith(SUFFIX);

/** The exported functions as a child gets them: a body in braces, whatever it was. */
export function exportFunctions(shell: Shell): Record<string, Bytes> {
  const environment: Record<string, Bytes> = {};
  for (const [name, definition] of Object.entries(shell.state.functions)) {
    if (!definition.marks?.includes('x')) continue;
    const node = shell.nodeOf(definition);
    if (node.type !== 'Function') continue;
    const body = shell.textOf(definition.source, node.body);
    environment[`${PREFIX}${name}${SUFFIX}`] = `() ${body.startsWith('{') ? body : `{ ${body}\n}`}`;
  }
  return environment;
}
