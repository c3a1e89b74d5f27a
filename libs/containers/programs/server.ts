import type {
  Client,
  Image,
  ImageConfig,
  ImageFiles,
  LogLine,
  PodHttpAnswer,
  PodHttpRequest,
  Process,
  Reader,
  Start,
} from '@terrarium/engine';
import type { NameAnswer } from '../../engine/kernel/process/syscalls.js';
import type { LoopTools } from '../../engine/node/cri/image.js';
import type { NameQuestion } from '../../engine/node/dns/question.js';
import { proxyProgram } from '../servers/proxy/program.js';
import type { Proxy } from '../servers/proxy/proxy.js';
import { isTool } from './tools.js';

const MB = 1_000_000;

/** How a server behaves once it runs. */
export interface Server {
  readonly ports?: readonly number[];
  readonly readyAfterMs?: number;
  /** Its answer to SIGTERM; null: as process 1 it does not hear it. By default it exits with 0 after 50 ms. */
  readonly stop?: Process['stop'] | null;
  /** Listens on what its container declares, beside `ports`. */
  readonly declared?: boolean;
  /** And on what its probes ask: for programs nobody knows. */
  readonly probed?: boolean;
  /** Ports that its command line names. */
  portsOf?(start: Start): readonly number[];
  /** Its answer to an HTTP request; by default an empty 200. */
  serve?(request: PodHttpRequest, start: Start, read: Reader | undefined, now: number): PodHttpAnswer;
  /** What comes to its ports is not HTTP: its machine answers. */
  readonly isOwnProtocol?: true;
  /** It stands before others: its machine runs this. */
  proxy?(start: Start): Proxy;
  /** Its answer to a question for a name (Process.answerName). */
  answerName?(question: NameQuestion, start: Start): NameAnswer;
  /** Whether its log has a line of each question or request (Process.logsRequests). */
  logsRequests?(start: Start): boolean;
  /** What it keeps true in the API (Process.tends). */
  tends?(api: Client, start: Start, tools: LoopTools): boolean;
  /** What wakes that, where it is not what wakes operators (Image.tends). */
  readonly wakes?: readonly string[];
  /** What it writes when it starts. */
  log?(start: Start): readonly string[];
  /** Its image has the program itself, which finds out that a port is another's. */
  readonly isProgram?: true;
  /** Ports of its own beside those that it answers at: kube-scheduler's health. */
  bindsBeside?(start: Start): readonly number[];
  /** What it says when it cannot bind a port; by default what Go's net package does. */
  takenPort?(port: number, start: Start): { readonly code: number; readonly lines: readonly string[] };
  /** Whether it comes up is not known from here: the program itself runs. */
  isUnusual?(start: Start): boolean;
  /** What it has read when it begins (Image.keeps). */
  keeps?(start: Start): string | undefined;
  /** An end of its own: a missing setting. */
  fails?(start: Start): { readonly code: number; readonly lines: readonly string[] } | undefined;
}

const EMPTY: readonly LogLine[] = [];
const QUIET = (): readonly LogLine[] => EMPTY;
const STOP = { afterMs: 50, code: 0 };
const TASK: Process = { exit: { afterMs: 2000, code: 0 }, stop: STOP, listens: [], readyAfterMs: 0, lines: QUIET };

const declaredPorts = ({ container }: Start): number[] =>
  (container.ports ?? []).filter((p) => p.protocol !== 'UDP').map((p) => p.containerPort);

function probedPorts({ container }: Start): number[] {
  const ports: number[] = [];
  for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
    const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? probe?.grpc?.port;
    if (typeof port === 'number') ports.push(port);
  }
  return ports;
}

/** What Go's loggers (klog, zap, slog, log) and nginx's error log write goes to standard error. */
const LOGGERS = /^(?:[IWEF]\d{4} \d\d:\d\d:|\{"level":|ts=\d|time=\d|\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )/;

const stamped = (lines: readonly string[], over: number): LogLine[] =>
  lines.map((text, i) => {
    const at = Math.round((over * i) / Math.max(1, lines.length));
    return LOGGERS.test(text) ? { at, text, stream: 'stderr' } : { at, text };
  });

const upTo = (lines: readonly LogLine[], until: number): readonly LogLine[] =>
  lines.length === 0 || lines.at(-1)!.at <= until ? lines : lines.filter((l) => l.at <= until);

/** A long-running server as a process. */
export function serverProcess(server: Server): (start: Start) => Process {
  const readyAfterMs = server.readyAfterMs ?? 100;
  const stop = server.stop === null ? undefined : (server.stop ?? STOP);
  const common = { readyAfterMs, stop };
  // Without anything of the start in it, one process serves all containers.
  const shared: Process | undefined =
    [server.log, server.fails, server.declared, server.probed].some(Boolean) ||
    [server.portsOf, server.tends, server.serve, server.answerName, server.proxy, server.isOwnProtocol].some(Boolean)
      ? undefined
      : { ...common, listens: server.ports ?? [], ...(server.ports ? { binds: server.ports } : {}), lines: QUIET };
  return (start) => {
    if (shared && !start.taken?.length) return shared;
    // A program nobody knows that is there for one task does it, and ends.
    if (server.probed && start.ends && declaredPorts(start).length + probedPorts(start).length === 0) return TASK;
    const failure = server.fails?.(start) ?? findTaken(server, start);
    if (failure) {
      const lines = stamped(failure.lines, readyAfterMs);
      return {
        listens: [],
        readyAfterMs,
        stop,
        exit: { afterMs: readyAfterMs, code: failure.code },
        lines: (until) => upTo(lines, until),
      };
    }
    let lines: readonly LogLine[] | undefined;
    const listens = [
      ...(server.ports ?? []),
      ...(server.portsOf?.(start) ?? []),
      ...(server.declared ? declaredPorts(start) : []),
      ...(server.probed ? probedPorts(start) : []),
    ];
    return {
      ...common,
      ...(server.serve
        ? {
            serve: (request: PodHttpRequest, sinceStart: number, read?: Reader) =>
              server.serve!(request, start, read, start.at + sinceStart),
          }
        : {}),
      ...proxyOf(server, start),
      ...(server.answerName ? { answerName: (question) => server.answerName!(question, start) } : {}),
      ...(server.logsRequests?.(start) ? { logsRequests: true } : {}),
      ...(server.tends ? { tends: (api: Client, tools: LoopTools) => server.tends!(api, start, tools) } : {}),
      listens,
      binds: bindsOf(server, start),
      ...(server.isOwnProtocol ? { machinePorts: listens } : {}),
      lines: (until) => upTo((lines ??= stamped(server.log?.(start) ?? [], readyAfterMs)), until),
    };
  };
}

/** A port that cannot be bound ends it. */
function findTaken(server: Server, start: Start): ReturnType<NonNullable<Server['fails']>> {
  if (!start.taken?.length) return undefined;
  const port = bindsOf(server, start).find((one) => start.taken?.includes(one));
  if (port === undefined) return undefined;
  return server.takenPort?.(port, start) ?? { code: 1, lines: [`listen tcp :${port}: bind: address already in use`] };
}

/** The ports of its image are moved by what its container says of others. */
function bindsOf(server: Server, start: Start): readonly number[] {
  const { ports = [], portsOf, bindsBeside } = server;
  return [...(isMoved(ports, start) ? [] : ports), ...(portsOf?.(start) ?? []), ...(bindsBeside?.(start) ?? [])];
}

function isMoved(ports: readonly number[], { container }: Start): boolean {
  if (ports.length === 0) return false;
  const { args = [], command = [], env = [], ports: declared = [] } = container;
  if (declared.length > 0 && !declared.some(({ containerPort }) => ports.includes(containerPort))) return true;
  return [...command, ...args, ...env.map(({ name }) => name)].some((word) => /port\b|:\d{2,5}\b/i.test(word));
}

/** Its ports are its machine's; what it says of itself is what its summary says. */
function proxyOf(server: Server, start: Start): Pick<Process, 'machinePorts' | 'program'> {
  if (!server.proxy) return {};
  const proxy = server.proxy(start);
  return { machinePorts: proxy.ports, program: (read) => proxyProgram(proxy, read) };
}

export interface ImageSpec {
  /** Short names stand for docker.io/library. */
  readonly names: readonly string[];
  readonly tags: RegExp;
  /** Compressed layers in MB. */
  readonly layersMB: readonly number[];
  readonly config?: ImageConfig;
  /** What is in its layers: containers with another command than the image's own run in a machine. */
  readonly files: ImageFiles;
  /** Names of programs that the server stands for, beside the image's own; 'any': all but shells and tools. */
  readonly commands?: 'any' | readonly string[];
  /** What tags differ in: 'alpine' in files, '1.27.3' in variables such as NGINX_VERSION. */
  readonly variant?: (tag: string) => {
    readonly files?: ImageFiles;
    readonly env?: Readonly<Record<string, string>>;
    /** Where the tag has another main program. */
    readonly config?: ImageConfig;
  };
}

/** The image of one tag is made by the same function, from its own files and variables. */
function variantsOf(spec: ImageSpec, make: (spec: ImageSpec) => Image): Pick<Image, 'variant'> {
  const { variant, config, ...rest } = spec;
  if (!variant) return {};
  return {
    variant(tag) {
      const { files = spec.files, env, config: own } = variant(tag);
      return make({ ...rest, files, config: { ...config, ...own, env: { ...config?.env, ...own?.env, ...env } } });
    },
  };
}

const fullName = (name: string): string =>
  name.includes('/') ? (/^[^/]*[.:]/.test(name) ? name : `docker.io/${name}`) : `docker.io/library/${name}`;

/** An image whose main program is a server; other commands run in a machine. */
export function serverImage(spec: ImageSpec, server: Server): Image {
  const serve = serverProcess(server);
  return {
    repositories: spec.names.map(fullName),
    tags: spec.tags,
    layers: spec.layersMB.map((mb) => Math.round(mb * MB)),
    config: spec.config ?? {},
    ...(server.tends ? { tends: server.wakes ?? true } : {}),
    ...(server.keeps ? { keeps: (start: Start) => server.keeps!(start) } : {}),
    files: spec.files,
    ...variantsOf(spec, (own) => serverImage(own, server)),
    start: (start) =>
      isOwnCommand(spec, start) && !isConfined(start) && !server.isUnusual?.(start) && !findsOut(server, start)
        ? serve(start)
        : undefined,
  };
}

/** Whether the server comes up under a profile of the node's, its program has to find out. */
const isConfined = ({ container }: Start): boolean => container.securityContext?.appArmorProfile?.type === 'Localhost';

const findsOut = (server: Server, start: Start): boolean =>
  server.isProgram === true && bindsOf(server, start).some((port) => start.taken?.includes(port));

/** The container runs what the image is there for, as its own entrypoint or by the name of its server. */
function isOwnCommand({ config = {}, commands = [] }: ImageSpec, { argv, container }: Start): boolean {
  const { entrypoint = [], cmd = [] } = config;
  const { command = [], args = [] } = container;
  const isOwn = (name: string): boolean =>
    [entrypoint[0], cmd[0], ...(commands === 'any' ? [] : commands)].some(
      (own) => own !== undefined && baseName(own) === baseName(name),
    );
  if (command.length === 0 && (entrypoint.length > 0 || args.length === 0)) {
    const [first] = args;
    return first === undefined || first.startsWith('-') || isOwn(first) || !EXECUTES.test(entrypoint[0] ?? '');
  }
  return commands === 'any' ? !isTool(argv) : isOwn(argv[0] ?? '');
}

/** Entrypoints that run their arguments where these are not options: those of Docker Hub's own images. */
const EXECUTES = /(?:^|\/)docker-entrypoint\.sh$/;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * An image of tools: runs the commands it is given, and nothing by itself. `program` answers for its own interpreter.
 */
export function toolImage(spec: ImageSpec, program?: (start: Start) => Process | undefined): Image {
  return {
    repositories: spec.names.map(fullName),
    tags: spec.tags,
    layers: spec.layersMB.map((mb) => Math.round(mb * MB)),
    config: spec.config ?? {},
    files: spec.files,
    ...variantsOf(spec, (own) => toolImage(own, program)),
    start: (start) => program?.(start),
  };
}

/** A moment of the start in another log's format. */
export const utc = (at: number): { iso: string; slashed: string; rfc: string } => {
  const iso = new Date(at).toISOString();
  return {
    iso,
    slashed: iso.slice(0, 19).replaceAll('-', '/').replace('T', ' '),
    rfc: iso.slice(0, 19).replace('T', ' '),
  };
};
