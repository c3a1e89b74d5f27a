import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type {
  ContainerView,
  ImageView,
  RuntimeView,
  SandboxView,
} from '../../../../engine/node/host/views/runtime-view.js';
import { parseOptions, type Options } from '../../options.js';
import type { Program, Plain } from '../../../../engine/kernel/process/program.js';
import { defineTool, type ToolContext, ToolFailure, type WaitingContext } from '../../tool.js';
import { pull, rm, rmi, rmp, stop, stopp } from './actions.js';
import { crictlExec } from './exec.js';
import { fatal, GLOBAL } from './failure.js';
import { findContainer, findImage, findSandbox } from './find.js';
import { crictlLogs } from './logs.js';
import { askRuntime, ENDPOINT, formatTable, humanDuration, humanSize } from '../runtime.js';

const VERSION = 'v1.34.0';
const SHORT = 13;

type Command = (tool: WaitingContext, options: Options) => number;

/** What crictl can do here, with each command's options. */
const COMMANDS: Readonly<Record<string, readonly [options: readonly string[], run: Command]>> = {
  ps: [
    [
      'a,all',
      'q,quiet',
      'name:',
      'p,pod:',
      'state:',
      's,state:',
      'o,output:',
      'image:',
      'n,last:',
      'no-trunc',
      'l,latest',
      'v,verbose',
    ],
    ps,
  ],
  pods: [
    ['q,quiet', 'name:', 'namespace:', 's,state:', 'o,output:', 'no-trunc', 'l,latest', 'n,last:', 'label:'],
    pods,
  ],
  images: [['q,quiet', 'o,output:', 'no-trunc', 'digests', 'v,verbose'], images],
  inspect: [['o,output:', 'q,quiet'], inspect],
  inspectp: [['o,output:', 'q,quiet'], inspectp],
  inspecti: [['o,output:', 'q,quiet'], inspecti],
  stop: [['t,timeout:', 'a,all'], stop],
  rm: [['f,force', 'a,all', 'k,keep-logs'], rm],
  stopp: [['a,all'], stopp],
  rmp: [['f,force', 'a,all'], rmp],
  pull: [['creds:', 'auth:', 'u,username:', 'a,annotation:', 'pod-config:', 'pull-timeout:'], pull],
  rmi: [['a,all', 'q,prune'], rmi],
  info: [['o,output:', 'q,quiet'], info],
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
const LASTING: Readonly<Record<string, Program>> = { exec: crictlExec, logs: crictlLogs };

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

/** Models cri-tools' crictl. Left out: making pods and containers, attach, port-forward, checkpoints, stats, events. */
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

const ago = (tool: ToolContext, time: string): string => `${humanDuration(tool.sys.now - Date.parse(time))} ago`;

function ps(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const state = (options.value('s') ?? options.value('state'))?.toLowerCase();
  const podId = options.value('p');
  const found = view.containers
    .filter((c) =>
      state === undefined ? options.has('a', 'l', 'n') || c.state === 'Running' : c.state.toLowerCase() === state,
    )
    .filter((c) => c.name.includes(options.value('name') ?? ''))
    .filter((c) => podId === undefined || c.podId.startsWith(podId))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, options.has('l') ? 1 : Number(options.value('n') ?? Infinity));
  if (options.value('o') === 'json') return json(tool, { containers: found.map((c) => describe(view, c)) });
  const cut = cutter(options);
  if (options.has('q')) tool.out(found.map(({ id }) => `${id}\n`).join(''));
  else
    tool.out(
      formatTable([
        ['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE'],
        ...found.map((c) => {
          const pod = view.pods.find(({ id }) => id === c.podId);
          const image = cut(c.imageId || c.image);
          return [
            cut(c.id),
            image,
            ago(tool, c.createdAt),
            c.state,
            c.name,
            String(c.attempt),
            cut(c.podId),
            pod?.name ?? 'unknown',
            pod?.namespace ?? 'unknown',
          ];
        }),
      ]),
    );
  return 0;
}

const cutter =
  (options: Options) =>
  (id: string): string =>
    options.has('no-trunc') ? id : id.slice(0, SHORT);

function pods(tool: ToolContext, options: Options): number {
  const { pods: all } = askRuntime(tool.sys);
  const state = options.value('s')?.toLowerCase();
  const found = all
    .filter((p) => state === undefined || (p.isReady ? 'ready' : 'notready') === state)
    .filter(
      (p) => p.name.includes(options.value('name') ?? '') && p.namespace.includes(options.value('namespace') ?? ''),
    )
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (options.value('o') === 'json') return json(tool, { items: found });
  const cut = cutter(options);
  if (options.has('q')) tool.out(found.map(({ id }) => `${id}\n`).join(''));
  else
    tool.out(
      formatTable([
        ['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT', 'RUNTIME'],
        ...found.map((p) => [
          cut(p.id),
          ago(tool, p.createdAt),
          p.isReady ? 'Ready' : 'NotReady',
          p.name,
          p.namespace,
          '0',
          '(default)',
        ]),
      ]),
    );
  return 0;
}

/** 'repository', 'tag', 'id' of an image. */
function partsOf({ names }: ImageView): [repository: string, tag: string, id: string] {
  const tagged = names.find((name) => !name.includes('@')) ?? '';
  const digest = names.find((name) => name.includes('@sha256:'))?.replace(/^.*@sha256:/, '') ?? '';
  const at = tagged.lastIndexOf(':');
  return [tagged.slice(0, at), tagged.slice(at + 1), digest];
}

function images(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const [name] = options.operands;
  const named = name === undefined ? undefined : findImage(view, name);
  const all = name === undefined ? view.images : named ? [named] : [];
  if (options.value('o') === 'json')
    return json(tool, {
      images: all.map((i) => ({
        id: `sha256:${partsOf(i)[2]}`,
        repoTags: i.names.filter((n) => !n.includes('@')),
        repoDigests: i.names.filter((n) => n.includes('@')),
        size: String(i.size),
      })),
    });
  const rows = all
    .map((image) => [...partsOf(image), humanSize(image.size)] as const)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const cut = cutter(options);
  if (options.has('q')) tool.out(rows.map(([, , id]) => `sha256:${id}\n`).join(''));
  else
    tool.out(
      formatTable([
        ['IMAGE', 'TAG', 'IMAGE ID', 'SIZE'],
        ...rows.map(([name, tag, id, size]) => [name, tag, cut(id), size]),
      ]),
    );
  return 0;
}

function idIn({ operands }: Options): string {
  if (operands[0] === undefined) throw new ToolFailure('ID cannot be empty');
  return operands[0];
}

function inspect(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const container = findContainer(view, idIn(options));
  return json(tool, {
    info: { sandboxID: container.podId, runtimeType: 'io.containerd.runc.v2' },
    status: describe(view, container),
  });
}

function inspectp(tool: ToolContext, options: Options): number {
  const pod: SandboxView = findSandbox(askRuntime(tool.sys), idIn(options));
  const { id, name, namespace, uid, isReady, ip, labels, createdAt } = pod;
  const metadata = { attempt: 0, name, namespace, uid };
  return json(tool, {
    status: {
      createdAt,
      id,
      labels,
      metadata,
      network: { additionalIps: [], ip },
      state: isReady ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
    },
  });
}

function inspecti(tool: ToolContext, options: Options): number {
  const [name = ''] = options.operands;
  const found = findImage(askRuntime(tool.sys), name);
  if (!found) throw new ToolFailure(`no such image "${name}" present`);
  return json(tool, {
    status: {
      id: `sha256:${partsOf(found)[2]}`,
      repoTags: found.names.filter((n) => !n.includes('@')),
      repoDigests: found.names.filter((n) => n.includes('@')),
      size: String(found.size),
    },
  });
}

function describe(view: RuntimeView, c: ContainerView): object {
  const pod = view.pods.find(({ id }) => id === c.podId);
  const labels = {
    'io.kubernetes.container.name': c.name,
    'io.kubernetes.pod.name': pod?.name,
    'io.kubernetes.pod.namespace': pod?.namespace,
    'io.kubernetes.pod.uid': pod?.uid,
  };
  const logPath = `/var/log/pods/${pod?.namespace}_${pod?.name}_${pod?.uid}/${c.name}/${c.attempt}.log`;
  return {
    ...{ createdAt: c.createdAt, exitCode: c.exitCode, finishedAt: c.finishedAt ?? '0001-01-01T00:00:00Z', id: c.id },
    ...{ image: { image: c.image }, imageRef: `sha256:${c.imageId}`, labels, logPath, podSandboxId: c.podId },
    ...{
      metadata: { attempt: c.attempt, name: c.name },
      startedAt: c.startedAt,
      state: c.state === 'Running' ? 'CONTAINER_RUNNING' : 'CONTAINER_EXITED',
    },
  };
}

function json(tool: ToolContext, value: object): number {
  tool.out(bytesOf(`${JSON.stringify(value, undefined, 2)}\n`));
  return 0;
}

function info(tool: ToolContext): number {
  askRuntime(tool.sys);
  const condition = (type: string): object => ({ message: '', reason: '', status: true, type });
  return json(tool, {
    status: { conditions: [condition('RuntimeReady'), condition('NetworkReady')] },
    cniconfig: { PluginDirs: ['/opt/cni/bin'], PluginConfDir: '/etc/cni/net.d' },
  });
}

function version(tool: ToolContext): number {
  const { runtimeVersion } = askRuntime(tool.sys);
  tool.out(`Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  ${runtimeVersion}\nRuntimeApiVersion:  v1\n`);
  return 0;
}
