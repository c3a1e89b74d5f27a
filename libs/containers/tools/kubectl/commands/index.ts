import { editDistance } from '../../framework/edit-distance.js';
import type { FoundCommand } from '../client.js';
import { KubectlFailure, PlainFailure, UsageFailure } from '../session/failure.js';
import { group as auth } from './access/auth.js';
import { group as certificate } from './access/certificate.js';
import type { Command, CommandGroup, RunTask } from './command.js';
import { group as create } from './create/create.js';
import { HELP } from './help.js';
import { group as completion } from './info/completion.js';
import { group as config } from './info/config.js';
import { group as explain } from './info/explain.js';
import { group as server } from './info/server.js';
import { group as nodes } from './nodes/nodes.js';
import { group as top } from './nodes/top.js';
import { group as describe } from './read/describe.js';
import { group as get } from './read/get.js';
import { group as kustomize } from './read/kustomize.js';
import { group as logs } from './read/logs.js';
import { group as wait } from './read/wait.js';
import { group as rollout } from './rollout/rollout.js';
import { group as attach } from './streams/attach.js';
import { group as copy } from './streams/copy.js';
import { group as debug } from './streams/debug.js';
import { group as exec } from './streams/exec.js';
import { group as portForward } from './streams/port-forward.js';
import { group as apply } from './write/apply.js';
import { group as del } from './write/delete.js';
import { group as diff } from './write/diff.js';
import { group as edit } from './write/edit.js';
import { group as label } from './write/label.js';
import { group as patch } from './write/patch.js';
import { group as scale } from './write/scale.js';
import { group as set } from './write/set.js';

export type { Command } from './command.js';

const GROUPS: readonly CommandGroup[] = [
  ...[
    auth,
    create,
    completion,
    config,
    explain,
    server,
    nodes,
    top,
    describe,
    get,
    logs,
    wait,
    rollout,
    apply,
    del,
    label,
    patch,
  ],
  ...[scale, set, attach, exec, certificate, edit, kustomize, copy, debug, diff, portForward],
];

const COMMANDS: Readonly<Record<string, Command>> = Object.assign(
  {},
  ...GROUPS.map(({ commands }) => commands),
) as Record<string, Command>;

/** What commands leave for later, by name. */
export const TASKS: Readonly<Record<string, RunTask>> = Object.assign(
  {},
  ...GROUPS.map(({ tasks }) => tasks ?? {}),
) as Record<string, RunTask>;

/** Commands of the real kubectl that are not simulated. */
const ABSENT = ['plugin', 'alpha', 'kuberc'];
/** Of flags that may stand before the command. */
const VALUED = [
  '-n',
  '--namespace',
  '--kubeconfig',
  '--context',
  '--cluster',
  '--user',
  '-s',
  '--server',
  '--token',
  '-v',
];

/** Of commands with short names. */
const LONG: Readonly<Record<string, string>> = {
  deploy: 'deployment',
  cj: 'cronjob',
  resourcequota: 'quota',
  cm: 'configmap',
  ns: 'namespace',
  sa: 'serviceaccount',
  svc: 'service',
  ing: 'ingress',
  pdb: 'poddisruptionbudget',
  pc: 'priorityclass',
};

/** The command that a command line begins with. Throws KubectlFailure. */
export function findCommand(line: readonly string[]): FoundCommand {
  const before: string[] = [];
  let rest = [...line];
  while (rest[0]?.startsWith('-')) {
    const flag = rest.shift()!;
    before.push(flag);
    if (VALUED.includes(flag) && rest.length > 0) before.push(rest.shift()!);
  }
  const name: string[] = [];
  let known: FoundCommand | undefined;
  for (let at = 0; at < 3 && at < rest.length && !rest[at]!.startsWith('-'); at++) {
    name.push(rest[at]!);
    const command = ownCommand(name.join(' '));
    if (command)
      known = {
        command,
        path: `kubectl ${name.map((word) => LONG[word] ?? word).join(' ')}`,
        words: [...before, ...rest.slice(at + 1)],
      };
  }
  const isHelp = before.includes('-h') || before.includes('--help');
  const [first = ''] = rest;
  if (first === '' || first === 'help' || (isHelp && !known)) throw new HelpText(HELP['']!);
  if (known && !known.words.some((word) => word === '-h' || word === '--help')) return known;
  if (known)
    throw new HelpText(
      `Usage:\n  ${known.path} [flags] [options]\n\nUse "kubectl options" for a list of global command-line options (applies to all commands).\n`,
    );
  rest = rest.slice(1);
  throw unknown(first, rest[0]);
}

const ownCommand = (name: string): Command | undefined => (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined);

/** What is asked for stands on standard output. */
export class HelpText extends KubectlFailure {
  constructor(
    readonly text: string,
    code = 0,
  ) {
    super('', code);
  }
}

function unknown(first: string, second: string | undefined): Error {
  if (Object.hasOwn(HELP, first)) {
    if (second === undefined || second.startsWith('-')) return new HelpText(HELP[first]!, first === 'rollout' ? 1 : 0);
    return new UsageFailure(`unknown command "${second}"`, `kubectl ${first}`);
  }
  if (ABSENT.includes(first))
    return new KubectlFailure(`unknown command "${first}" for "kubectl" (it is not simulated in a container)`);
  const near = suggest(first);
  return new PlainFailure(
    `error: unknown command "${first}" for "kubectl"${near.length === 0 ? '' : `\n\nDid you mean this?\n${near.map((one) => `\t${one}\n`).join('')}`}`.replace(
      /\n$/,
      '',
    ),
  );
}

const MAX_DISTANCE = 2;

/** Models cobra's SuggestionsFor. */
function suggest(word: string): string[] {
  const names = [...new Set([...Object.keys(COMMANDS).map((name) => name.split(' ')[0]!), ...ABSENT])];
  if (word.length > 40) return [];
  return names.filter((name) => editDistance(word, name) <= MAX_DISTANCE || name.startsWith(word));
}
