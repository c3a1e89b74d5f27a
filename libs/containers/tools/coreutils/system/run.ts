import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { EXEC } from '../../../../engine/kernel/process/program.js';
import { exitCodeOf, findCommand } from '../../framework/command.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../../framework/tool.js';

/** Goes on as another program; what it cannot run is told in the words of env and nice. */
function runInstead(tool: ToolContext, words: readonly Bytes[], env?: Record<string, Bytes>, prefix = ''): typeof EXEC {
  const [name] = words as [Bytes];
  try {
    tool.sys.exec(findCommand(tool.sys, name, env?.['PATH'] ?? tool.sys.env['PATH']), words, env);
    return EXEC;
  } catch (error) {
    const message = strerror(error);
    throw new ToolFailure(
      tool.flavour === 'gnu' ? `${prefix}${quoteName(name)}: ${message}` : `can't execute '${name}': ${message}`,
      exitCodeOf(error),
    );
  }
}

export const env = defineTool(
  (tool) => {
    const args = tool.args.map((word) => (word === '-' ? '-i' : word));
    const table = ['i,ignore-environment', 'u,unset:', '0,null', 'C,chdir:', 'S,split-string:', 'v,debug'];
    const options = parseOptions({ ...tool, args }, table, true);
    const split = options.value('S')?.split(/\s+/).filter(Boolean) ?? [];
    const words = [...split, ...options.operands];
    const variables: Record<string, Bytes> = options.has('i') ? {} : { ...tool.sys.env };
    for (const name of options.values('u')) delete variables[name];
    while (words[0]?.includes('=') === true) {
      const [, name, value] = /^([^=]*)=([^]*)$/.exec(words.shift()!)!;
      variables[name!] = value!;
    }
    if (options.has('C')) tool.sys.chdir(options.value('C')!);
    if (words.length > 0) return runInstead(tool, words, variables);
    for (const [name, value] of Object.entries(variables))
      tool.out(`${name}=${value}${options.has('0') ? '\0' : '\n'}`);
    return 0;
  },
  { usage: '[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]', usageCode: 125 },
);

export const printenv = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['0,null']);
    const ending = options.has('0') ? '\0' : '\n';
    const all = tool.sys.env;
    if (options.operands.length === 0)
      for (const [name, value] of Object.entries(all)) tool.out(`${name}=${value}${ending}`);
    const found = options.operands.filter((name) => all[name] !== undefined);
    for (const name of found) tool.out(all[name]! + ending);
    return found.length === options.operands.length ? 0 : 1;
  },
  { usage: '[OPTION]... [VARIABLE]...', usageCode: 2 },
);

/** Priorities are not modelled: what it starts runs as any other process. To raise one takes CAP_SYS_NICE. */
export const nice = defineTool(
  (tool) => {
    const args = tool.args.map((word, i) => (i === 0 ? word.replace(/^-(\d+)$/, '-n$1') : word));
    const options = parseOptions({ ...tool, args }, ['n,adjustment:'], true);
    const value = options.value('n');
    if (value !== undefined && !/^[-+]?\d+$/.test(value))
      throw new ToolFailure(`invalid adjustment ${quoteName(value)}`, 125);
    if (options.operands.length > 0) {
      if (Number(value ?? 0) < 0 && !tool.sys.hasCapability('SYS_NICE')) refusePriority(tool, Number(value));
      return runInstead(tool, options.operands);
    }
    tool.out('0\n');
    return 0;
  },
  { usage: '[OPTION] [COMMAND [ARG]...]', usageCode: 125 },
);

/** GNU's goes on all the same; busybox' ends. */
function refusePriority({ flavour, sys, name }: ToolContext, value: number): void {
  const words = 'Permission denied';
  if (flavour === 'busybox') throw new ToolFailure(`setpriority(${Math.max(-20, value)}): ${words}`);
  sys.write(2, `${name}: cannot set niceness: ${words}\n`);
}

export const chroot = defineTool(
  (tool) => {
    const { sys, flavour } = tool;
    const { operands } = parseOptions(tool, ['groups:', 'userspec:', 'skip-chdir'], true);
    const [root, ...words] = operands;
    if (root === undefined) throw new UsageFailure(flavour === 'gnu' ? 'missing operand' : '');
    const refuse = (why: string): ToolFailure =>
      flavour === 'gnu'
        ? new ToolFailure(`cannot change root directory to ${quoteName(root)}: ${why}`, 125)
        : new ToolFailure(`can't change root directory to '${root}': ${why}`);
    try {
      sys.chroot(root);
    } catch (error) {
      throw refuse(strerror(error));
    }
    sys.chdir('/');
    const command = words.length > 0 ? words : [sys.env['SHELL'] ?? '/bin/sh', '-i'];
    return runInstead(tool, command, undefined, 'failed to run command ');
  },
  { usage: '[OPTION] NEWROOT [COMMAND [ARG]...]', usageCode: 125 },
);

export const nohup = defineTool(
  (tool) => {
    const { operands } = parseOptions(tool, [], true);
    if (operands.length === 0) throw new UsageFailure('missing operand');
    const { sys } = tool;
    sys.handleSignal('HUP', 'ignore');
    if (sys.isTerminal(1)) {
      const file = sys.open('nohup.out', { write: true, create: true, append: true }, 0o600);
      sys.duplicate(file, 1);
      sys.close(file);
      sys.write(2, `${tool.name}: ignoring input and appending output to 'nohup.out'\n`);
    }
    return runInstead(tool, operands);
  },
  { usage: 'COMMAND [ARG]...', usageCode: 125 },
);

/** Output is written at once as it is. */
export const stdbuf = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['i,input:', 'o,output:', 'e,error:'], true);
    if (options.operands.length === 0) throw new UsageFailure('missing operand');
    if (options.all.length === 0) throw new UsageFailure('you must specify a buffering mode option');
    return runInstead(tool, options.operands);
  },
  { usage: 'OPTION... COMMAND', usageCode: 125 },
);

export const setsid = defineTool((tool) => {
  const options = parseOptions(tool, ['c,ctty', 'f,fork', 'w,wait'], true);
  if (options.operands.length === 0) throw new UsageFailure('no command specified');
  tool.sys.setSession();
  return runInstead(tool, options.operands);
});
