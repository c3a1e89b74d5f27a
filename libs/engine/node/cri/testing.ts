/** Small programs and a cluster's state for the specs of machines. */
import type { Container, Pod } from '../../api/core_v1.js';
import { SystemError } from '../../kernel/errno.js';
import type { FileNode, ImageFiles } from '../../kernel/files/file.js';
import {
  exit,
  sleepUntil,
  waitToRead,
  YIELD,
  type Plain,
  type Program,
  type Programs,
} from '../../kernel/process/program.js';
import { FileChanges, kinds, PodMachines, Pods } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import { UnfinishedWork } from '../../machinery/unfinished.js';
import { State } from '../../runtime/state/state.js';
import { formatHello } from '../cni/tls.js';
import { NOW, pod, running, STAMP } from '../kubelet/testing.js';
import { makeCatalog } from './images/catalog.js';
import type { Image, ImageCatalog } from './image.js';
import { Machines, type LoadedMachine, type MachinesOptions, type PodView } from './machines.js';

const program = <S extends Plain>(one: Program<S>): Program => one as unknown as Program;
const once = (run: (argv: readonly string[], sys: Parameters<Program['step']>[1]) => number): Program => ({
  start: (argv) => [...argv],
  step: (argv, sys) => {
    try {
      return exit(run(argv as string[], sys));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      sys.write(2, `${error.message}\n`);
      return exit(1);
    }
  },
});

export const programs: Readonly<Record<string, Program>> = {
  /** write PATH TEXT */
  write: once(([, path = '', text = ''], sys) => {
    const file = sys.open(path, { write: true, create: true, truncate: true });
    sys.write(file, text);
    return 0;
  }),
  /** read PATH */
  read: once(([, path = ''], sys) => {
    const file = sys.open(path, { read: true });
    sys.write(1, sys.read(file) ?? '');
    return 0;
  }),
  remove: once(([, path = ''], sys) => {
    sys.unlink(path);
    return 0;
  }),
  list: once(([, path = ''], sys) => {
    sys.write(1, sys.readDirectory(path).join(' '));
    return 0;
  }),
  env: once(([, name = ''], sys) => {
    sys.write(1, sys.env[name] ?? '');
    return 0;
  }),
  /** rest MS CODE: ends after a time */
  rest: program<{ until: number; code: number }>({
    start: ([, ms = '0', code = '0'], sys) => ({ until: sys.now + Number(ms), code: Number(code) }),
    step: (state, sys) => (sys.now >= state.until ? exit(state.code) : sleepUntil(state.until)),
  }),
  /** count: a line a second, for ever */
  count: program<{ next: number; n: number }>({
    start: (_argv, sys) => ({ next: sys.now, n: 0 }),
    step: (state, sys) => {
      for (; sys.now >= state.next; state.next += 1_000) sys.write(1, `${++state.n}\n`);
      return sleepUntil(state.next);
    },
  }),
  /** polite MS: ends with 0 so long after SIGTERM */
  polite: program<{ ms: number; until: number | null }>({
    start: ([, ms = '0'], sys) => {
      sys.handleSignal('TERM', 'catch');
      return { ms: Number(ms), until: null };
    },
    step: (state, sys) => {
      if (sys.takeSignal()) state.until ??= sys.now + state.ms;
      if (state.until === null) return { type: 'wait' };
      return sys.now >= state.until ? exit(0) : sleepUntil(state.until);
    },
  }),
  /** echo: what it reads, in capitals */
  echo: program<{ ended: boolean }>({
    start: () => ({ ended: false }),
    step: (_state, sys) => {
      const bytes = sys.read(0);
      if (bytes === undefined) return waitToRead(0);
      if (bytes === '') return exit(0);
      sys.write(1, bytes.toUpperCase());
      return waitToRead(0);
    },
  }),
  /** fetch ADDRESS PORT PATH: prints what the server sends until it closes */
  fetch: program<{ socket: number; isSent: boolean; path: string }>({
    start: ([, address = '', port = '0', path = '/'], sys) => ({
      socket: sys.connect(address, Number(port)),
      isSent: false,
      path,
    }),
    step: (state, sys) => {
      if (!state.isSent) {
        const error = sys.connectError(state.socket);
        if (error) {
          sys.write(2, error);
          return exit(1);
        }
        state.isSent = true;
        sys.write(state.socket, `GET ${state.path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
      }
      const bytes = sys.read(state.socket);
      if (bytes === undefined) return waitToRead(state.socket);
      if (bytes === '') return exit(0);
      sys.write(1, bytes);
      return waitToRead(state.socket);
    },
  }),
  /** ask ADDRESS PORT PATH, over TLS */
  ask: program<{ socket: number; isSent: boolean; path: string }>({
    start: ([, address = '', port = '0', path = '/'], sys) => ({
      socket: sys.connect(address, Number(port)),
      isSent: false,
      path,
    }),
    step: (state, sys) => {
      if (!state.isSent) {
        state.isSent = true;
        const hello = formatHello({ serverName: '' });
        sys.write(state.socket, `${hello}GET ${state.path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
      }
      const bytes = sys.read(state.socket);
      if (bytes === undefined) return waitToRead(state.socket);
      if (bytes === '') return exit(0);
      sys.write(1, bytes.slice(bytes.indexOf('\n') + 1));
      return waitToRead(state.socket);
    },
  }),
  /** toil STEPS: one step of so much work */
  toil: once(([, steps = '0'], sys) => {
    sys.charge(Number(steps));
    return 0;
  }),
  /** labour N: so many steps, each of 10 ms of work; a line after every 100th */
  labour: program<{ left: number }>({
    start: ([, steps = '0']) => ({ left: Number(steps) }),
    step: (state, sys) => {
      sys.charge(10_000);
      if (--state.left % 100 === 0) sys.write(1, `${state.left}\n`);
      return state.left > 0 ? YIELD : exit(0);
    },
  }),
  /** breed: two of itself, as long as there may be more; then each works without end */
  breed: program<{ children: number; turns: number }>({
    start: () => ({ children: 2, turns: 0 }),
    step: (state, sys) => {
      try {
        if (state.children > 0) sys.spawn({ path: '/bin/breed', argv: ['breed'] });
        state.children--;
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        state.children = 0;
      }
      if (++state.turns % 1_000 === 0) sys.write(1, `${sys.pid} ${sys.now}\n`);
      sys.charge(50);
      return YIELD;
    },
  }),
  /** bind PORT MS: listens so long after its start */
  bind: program<{ port: number; at: number; isBound: boolean }>({
    start: ([, port = '0', ms = '0'], sys) => ({ port: Number(port), at: sys.now + Number(ms), isBound: false }),
    step: (state, sys) => {
      if (state.isBound) return { type: 'wait' };
      if (sys.now < state.at) return sleepUntil(state.at);
      sys.listen(state.port);
      state.isBound = true;
      return { type: 'wait' };
    },
  }),
};

const executable = (name: string): FileNode => ({
  type: 'file',
  mode: 0o755,
  user: 0,
  group: 0,
  modified: 0,
  size: 1,
  program: name,
});
const FILES: ImageFiles = {
  '/tmp': { type: 'directory', mode: 0o1777, user: 0, group: 0, modified: 0 },
  ...Object.fromEntries(Object.keys(programs).map((name) => [`/bin/${name}`, executable(name)])),
};

const TOOLS: Image = {
  repositories: ['docker.io/library/tools'],
  tags: /./,
  layers: [],
  config: { cmd: ['rest', '1000000000'] },
  files: FILES,
  start: () => undefined,
};
const SERVER: Image = {
  ...TOOLS,
  repositories: ['docker.io/library/server'],
  config: { entrypoint: ['/server'] },
  start: () => ({
    listens: [80],
    readyAfterMs: 500,
    stop: { afterMs: 50, code: 0 },
    lines: (until) => [{ at: 10, text: 'ready' }].filter(({ at }) => at <= until),
    serve: ({ path }) => ({ status: 200, body: `you asked for ${path}` }),
  }),
};

export const toolPrograms: Programs = { find: (name) => programs[name] };
export const toolImages: ImageCatalog = makeCatalog([TOOLS, SERVER], TOOLS, { isPublished: () => true }, toolPrograms);

/** A pod on worker-1 whose containers run tools; all of them began at NOW. */
export function toolPod(
  containers: readonly Partial<Container>[],
  more: { readonly spec?: Partial<Pod['spec']>; readonly metadata?: Pod['metadata'] } = {},
): Pod {
  const own = containers.map((c, i): Container => ({ name: `c${i || ''}`, image: 'tools', ...c }));
  const statuses = own.map((c) =>
    running(c.name, { image: `docker.io/library/${c.image}:latest`, containerID: `containerd://${c.name}-1` }),
  );
  const status = {
    phase: 'Running',
    podIP: '10.244.1.2',
    hostIP: '172.18.0.2',
    startTime: STAMP,
    containerStatuses: statuses,
  };
  return pod({ containers: own, ...more.spec }, status, more.metadata);
}

/** A state with these objects. */
export function stateOf(...objects: readonly KubeObject[]): State {
  const state = new State({ now: NOW });
  for (const kind of kinds)
    for (const name in kind.indexes ?? {})
      state.addIndex(state.resourceOf(kind), name, kind.indexes![name] as (object: KubeObject) => readonly string[]);
  const kindOf = (object: KubeObject): Kind => kinds.find((k) => k.kind === object.kind)!;
  for (const object of objects) state.put(state.resourceOf(kindOf(object)), structuredClone(object), 'test', 0);
  return state;
}

/** Writes to a state without an API server. */
export function clientOf(state: State): Client {
  const put = (kind: Kind, object: KubeObject): KubeObject =>
    state.put(state.resourceOf(kind), { ...object, metadata: { ...object.metadata } }, 'test', 0);
  const client = {
    get revision() {
      return state.revision;
    },
    get: (kind: Kind, key: Key) => state.get(kind, key),
    list: (kind: Kind, namespace?: string) => state.list(kind, namespace),
    byIndex: (kind: Kind, index: string, value: string) => state.byIndex(kind, index, value),
    create: put,
    update: put,
    delete: (kind: Kind, key: Key) => state.remove(state.resourceOf(kind), key, 'test', 0),
  };
  return client as unknown as Client;
}

export const machinesOf = (state: State, more: Partial<MachinesOptions> = {}): Machines =>
  new Machines({
    state,
    images: toolImages,
    seed: 's',
    dial: () => ({ error: 'no server' }),
    api: () => ({ status: 404 }),
    runtime: () => ({ status: 404 }),
    apiHello: () => ({ subject: '', issuer: '', names: [], chain: [] }),
    token: () => 'token',
    ...more,
  });

/** The machine of a pod at a time, however often one has to ask. */
export function comeTo(machines: Machines, view: PodView, now: number): LoadedMachine {
  for (;;) {
    try {
      return machines.at(view, now);
    } catch (error) {
      if (!(error instanceof UnfinishedWork)) throw error;
    }
  }
}

export const recordsOf = (state: State): { machines: number; files: number } => ({
  machines: state.list(PodMachines).length,
  files: state.list(FileChanges).length,
});

export const podOf = (state: State, name = 'web'): Pod => state.get(Pods, { namespace: 'shop', name })!;
