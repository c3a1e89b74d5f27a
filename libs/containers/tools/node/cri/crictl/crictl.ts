import type { Plain, Program } from '../../../../../engine/kernel/process/program.js';
import { parseOptions, type Options } from '../../../framework/options.js';
import { defineTool, ToolFailure, type WaitingContext } from '../../../framework/tool.js';
import { ENDPOINT } from '../../runtime.js';
import { pull, rm, rmi, rmp, stop, stopp } from './actions.js';
import { config } from './config.js';
import { crictlEvents } from './events.js';
import { crictlAttach, crictlExec } from './exec.js';
import { fatal, GLOBAL } from '../failure.js';
import { imagefsinfo, info, inspect, inspecti, inspectp, runtimeConfig, version } from './inspect.js';
import { images, pods, ps } from './lists.js';
import { crictlLogs } from './logs.js';
import { createContainer, run, runp, start } from './make.js';
import { crictlPortForward } from './port-forward.js';
import { stats, statsp } from './stats.js';

const VERSION = 'v1.34.0';

/** Options that choose among containers, and among pods. */
const OF_CONTAINERS = [
  ...['a,all', 'name:', 'p,pod:', 's,state:', 'image:', 'n,last:', 'l,latest', 'namespace:', 'label:', 'id:'],
];
const OF_PODS = ['name:', 'namespace:', 's,state:', 'l,latest', 'n,last:', 'label:', 'id:'];
const PRINTED = ['o,output:', 'q,quiet', 'template:'];
const PULLED = ['no-pull', 'with-pull', 'r,runtime:', 'T,cancel-timeout:', 'creds:', 'auth:', 'u,username:'];
const STATS = ['a,all', 'id:', 'p,pod:', 's,seconds:', 'o,output:', 'w,watch', 'label:'];

type Command = (tool: WaitingContext, options: Options) => number;

/** What crictl can do here, with each command's options. */
const COMMANDS: Readonly<Record<string, readonly [options: readonly string[], run: Command]>> = {
  ps: [[...OF_CONTAINERS, 'q,quiet', 'o,output:', 'no-trunc', 'v,verbose', 'r,resolve-image-path'], ps],
  pods: [[...OF_PODS, 'q,quiet', 'o,output:', 'no-trunc', 'v,verbose'], pods],
  images: [['q,quiet', 'o,output:', 'no-trunc', 'digests', 'v,verbose', 'pinned'], images],
  inspect: [[...OF_CONTAINERS, ...PRINTED], inspect],
  inspectp: [[...OF_PODS, ...PRINTED], inspectp],
  inspecti: [PRINTED, inspecti],
  runp: [['r,runtime:', 'T,cancel-timeout:'], runp],
  create: [PULLED, createContainer],
  start: [[], start],
  run: [PULLED, run],
  stats: [STATS, stats],
  statsp: [STATS, statsp],
  imagefsinfo: [['o,output:', 'template:'], imagefsinfo],
  config: [['get:', 'set:', 'list'], config],
  stop: [['t,timeout:', 'a,all'], stop],
  rm: [['f,force', 'a,all', 'k,keep-logs'], rm],
  stopp: [['a,all'], stopp],
  rmp: [['f,force', 'a,all'], rmp],
  pull: [['creds:', 'auth:', 'u,username:', 'a,annotation:', 'pod-config:', 'pull-timeout:'], pull],
  rmi: [['a,all', 'q,prune'], rmi],
  info: [PRINTED, info],
  'runtime-config': [[], runtimeConfig],
  version: [[], version],
};
const ALIASES: Readonly<Record<string, string>> = { image: 'images', img: 'images' };

/** The commands of crictl that end by themselves. */
const plain = defineTool((tool) => {
  const global = parseOptions(tool, GLOBAL, true);
  const [word = '', ...args] = global.operands;
  const name = Object.hasOwn(ALIASES, word) ? ALIASES[word]! : word;
  if (name === '' || name === 'help') {
    tool.out(
      `NAME:\n   crictl - client for CRI\n\nUSAGE:\n   crictl [global options] command [command options]\n\nVERSION:\n   ${VERSION}\n`,
    );
    return 0;
  }
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!found) return fatal(tool, `No help topic for '${word}' (not simulated)`);
  const endpoint = global.value('r');
  if (endpoint !== undefined && endpoint.replace('unix://', '') !== ENDPOINT.replace('unix://', ''))
    return fatal(
      tool,
      `validate service connection: validate CRI v1 runtime API for endpoint "${endpoint}": rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix ${endpoint.replace('unix://', '')}: connect: no such file or directory"`,
    );
  const [table, run] = found;
  try {
    return run(tool, parseOptions({ ...tool, args }, table));
  } catch (error) {
    if (error instanceof ToolFailure) return fatal(tool, error.message);
    throw error;
  }
});

/** Commands that last: what they print comes as time passes. */
const LASTING: Readonly<Record<string, Program>> = {
  attach: crictlAttach,
  events: crictlEvents,
  event: crictlEvents,
  exec: crictlExec,
  logs: crictlLogs,
  'port-forward': crictlPortForward,
};

type CrictlState = { command: string; inner: Plain };

/** The command of a command line: what comes before it are options. */
function commandIn(argv: readonly string[]): string {
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith('-')) return word;
    if (!word.includes('=') && !['-D', '--debug'].includes(word)) i++;
  }
  return '';
}

const programFor = (command: string): Program => (Object.hasOwn(LASTING, command) ? LASTING[command]! : plain);

/** Models cri-tools' crictl. Left out: checkpoints, updates of resources, metrics. */
export const crictl: Program = {
  start(argv, sys) {
    const state: CrictlState = { command: commandIn(argv), inner: null };
    state.inner = programFor(state.command).start(argv, sys);
    return state;
  },
  step: (state, sys) => {
    const { command, inner } = state as CrictlState;
    return programFor(command).step(inner, sys);
  },
};
