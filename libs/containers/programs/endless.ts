import { parse, type Statement } from 'unbash';

/** What may end the shell, or lets its course depend on more than its text. */
const LEAVES = new Set(
  '. break curl eval exec exit kill killall kubectl nc pkill python python3 return set source trap wget'.split(' '),
);
const SHELL = /^(?:.*\/)?(?:ba|da|a)?sh$/;
const MAX_SCRIPT = 16_384;

/**
 * Whether a command line is a script with `while true` that nothing in it leaves: its container never ends by itself,
 * so
 * that nobody has to run it ahead to know. False when that is not sure.
 */
export function isEndless([shell = '', flag = '', script = '', ...more]: readonly string[]): boolean {
  if (!SHELL.test(shell) || flag !== '-c' || more.length > 1 || script.length > MAX_SCRIPT) return false;
  if (!/\b(?:while|until)\b/.test(script)) return false;
  const { commands, errors = [] } = parse(script);
  return errors.length === 0 && commands.some(isEndlessLoop) && !mayLeave(commands);
}

function isEndlessLoop({ command, background }: Statement): boolean {
  if (background || command.type !== 'While' || command.clause.commands.length !== 1) return false;
  const [test] = command.clause.commands;
  const name = test?.command.type === 'Command' ? test.command.name?.value : undefined;
  return command.kind === 'until' ? name === 'false' : name === 'true' || name === ':';
}

/** Walks through everything in the script, the commands in its substitutions too. */
function mayLeave(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mayLeave);
  if (typeof value !== 'object' || value === null) return false;
  const node = value as {
    readonly type?: string;
    readonly name?: { readonly value?: string; readonly parts?: unknown };
  };
  if (node.type === 'Statement' && (value as Statement).background) return true;
  if (node.type === 'Command' && node.name && (node.name.parts !== undefined || LEAVES.has(node.name.value ?? '')))
    return true;
  if (node.type === 'Assignment' && growsItself(value as { readonly text?: string })) return true;
  return Object.values(value).some(mayLeave);
}

/** x=$x$x, which ends at the container's limit of memory; counters do not grow. */
function growsItself({ text = '' }: { readonly text?: string }): boolean {
  const [, name = ''] = /^(\w+)\+?=/.exec(text) ?? [];
  const rest = text.slice(name.length).replace(/\$\(\(.*?\)\)/g, '');
  return text.startsWith(`${name}+=`) || new RegExp(`\\$\\{?${name}\\b`).test(rest);
}
