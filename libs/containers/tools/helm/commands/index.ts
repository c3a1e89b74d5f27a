import { editDistance } from '../../framework/edit-distance.js';
import type { FoundCommand } from '../../kubectl/client.js';
import type { Command, CommandGroup, RunTask } from '../../kubectl/commands/command.js';
import { HelpText } from '../../kubectl/commands/index.js';
import { HelmFailure } from '../failure.js';
import { group as change } from './change.js';
import { HELP, helpText } from './help.js';
import { group as local } from './local.js';
import { group as releases } from './releases.js';
import { group as repositories } from './repositories.js';
import { group as small } from './small.js';

const GROUPS: readonly CommandGroup[] = [local, change, releases, repositories, small];

const COMMANDS = Object.assign({}, ...GROUPS.map(({ commands }) => commands)) as Readonly<Record<string, Command>>;

/** What commands leave for later, by name. */
export const TASKS = Object.assign({}, ...GROUPS.map(({ tasks }) => tasks ?? {})) as Readonly<Record<string, RunTask>>;

const VALUED = [
  ...['-n', '--namespace', '--kubeconfig', '--kube-context', '--kube-token', '--kube-apiserver', '--kube-as-user'],
  ...['--kube-as-group', '--registry-config', '--repository-config', '--repository-cache', '--kube-ca-file'],
];

const ALIASES: Readonly<Record<string, string>> = {
  ...{ ls: 'list', del: 'uninstall', delete: 'uninstall', un: 'uninstall', hist: 'history', inspect: 'show' },
  ...{ dep: 'dependency', dependencies: 'dependency', fetch: 'pull' },
};
const INNER: Readonly<Record<string, string>> = { ls: 'list', rm: 'remove', up: 'update', add: 'add' };

/** The command that a command line begins with. Throws HelmFailure, HelpText. */
export function findCommand(line: readonly string[]): FoundCommand {
  const before: string[] = [];
  let rest = [...line];
  while (rest[0]?.startsWith('-')) {
    const flag = rest.shift()!;
    before.push(flag);
    if (VALUED.includes(flag) && rest.length > 0) before.push(rest.shift()!);
  }
  if (rest[0] === 'help') {
    before.push('--help');
    rest = rest.slice(1);
  }
  const asksHelp = [...before, ...rest].some((word) => word === '-h' || word === '--help');
  const [given = ''] = rest;
  if (given === '') throw new HelpText(helpText(''));
  const first = Object.hasOwn(ALIASES, given) ? ALIASES[given]! : given;
  if (Object.hasOwn(HELP, first)) {
    const inner = rest[1] ?? '';
    const name = `${first} ${Object.hasOwn(INNER, inner) ? INNER[inner]! : inner}`;
    if (!Object.hasOwn(COMMANDS, name)) throw new HelpText(helpText(first));
    return known(name, [...before, ...rest.slice(2)], asksHelp);
  }
  if (!Object.hasOwn(COMMANDS, first)) throw unknown(given);
  return known(first, [...before, ...rest.slice(1)], asksHelp);
}

function known(name: string, words: readonly string[], asksHelp: boolean): FoundCommand {
  const path = `helm ${name}`;
  if (asksHelp) throw new HelpText(`Usage:\n  ${path} [flags]\n`);
  return { command: COMMANDS[name]!, path, words };
}

/** As cobra refuses a command, with those of similar names. */
function unknown(given: string): HelmFailure {
  const names = [...new Set(Object.keys(COMMANDS).map((name) => name.split(' ')[0]!))].sort();
  const near =
    given.length > 40
      ? []
      : names.filter((name) => editDistance(given, name) <= 2 || name.startsWith(given.toLowerCase()));
  const hint = near.length === 0 ? '' : `\n\nDid you mean this?\n${near.map((one) => `\t${one}\n`).join('')}`;
  return new HelmFailure(`unknown command ${JSON.stringify(given)} for "helm"${hint}\nRun 'helm --help' for usage.`);
}
