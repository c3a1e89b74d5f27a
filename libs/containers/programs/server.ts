import type {
  Client,
  Image,
  ImageConfig,
  LogLine,
  PodHttpAnswer,
  PodHttpRequest,
  Process,
  Start,
} from '@terrarium/engine';
import { isCommand, runIn, scriptProcess } from './script.js';

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
  serve?(request: PodHttpRequest, start: Start): PodHttpAnswer;
  /** What it keeps true in the API (Process.tends). */
  tends?(api: Client, start: Start): boolean;
  /** What it writes when it starts. */
  log?(start: Start): readonly string[];
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

const stamped = (lines: readonly string[], over: number): LogLine[] =>
  lines.map((text, i) => ({ at: Math.round((over * i) / Math.max(1, lines.length)), text }));

const upTo = (lines: readonly LogLine[], until: number): readonly LogLine[] =>
  lines.length === 0 || lines.at(-1)!.at <= until ? lines : lines.filter((l) => l.at <= until);

/** A long-running server as a process. */
export function serverProcess(server: Server): (start: Start) => Process {
  const readyAfterMs = server.readyAfterMs ?? 100;
  const stop = server.stop === null ? undefined : (server.stop ?? STOP);
  const common = { readyAfterMs, stop };
  // Without anything of the start in it, one process serves all containers.
  const shared: Process | undefined =
    server.log || server.fails || server.declared || server.probed || server.portsOf || server.tends || server.serve
      ? undefined
      : { ...common, listens: server.ports ?? [], lines: QUIET };
  return (start) => {
    if (shared) return shared;
    // A program nobody knows that is there for one task does it, and ends.
    if (server.probed && start.ends) return TASK;
    const failure = server.fails?.(start);
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
    return {
      ...common,
      ...(server.serve ? { serve: (request: PodHttpRequest) => server.serve!(request, start) } : {}),
      ...(server.tends ? { tends: (api: Client) => server.tends!(api, start) } : {}),
      listens: [
        ...(server.ports ?? []),
        ...(server.portsOf?.(start) ?? []),
        ...(server.declared ? declaredPorts(start) : []),
        ...(server.probed ? probedPorts(start) : []),
      ],
      lines: (until) => upTo((lines ??= stamped(server.log?.(start) ?? [], readyAfterMs)), until),
    };
  };
}

export interface ImageSpec {
  /** Short names stand for docker.io/library. */
  readonly names: readonly string[];
  readonly tags: RegExp;
  /** Compressed layers in MB. */
  readonly layersMB: readonly number[];
  readonly config?: ImageConfig;
}

const fullName = (name: string): string =>
  name.includes('/') ? (/^[^/]*[.:]/.test(name) ? name : `docker.io/${name}`) : `docker.io/library/${name}`;

/** An image whose main program is a server; shell commands run in it as in any other. */
export function serverImage(spec: ImageSpec, server: Server): Image {
  const serve = serverProcess(server);
  return {
    repositories: spec.names.map(fullName),
    tags: spec.tags,
    layers: spec.layersMB.map((mb) => Math.round(mb * MB)),
    config: spec.config ?? {},
    ...(server.tends ? { tends: true } : {}),
    start: (start) =>
      isCommand(start.argv)
        ? scriptProcess(start)
        : { ...serve(start), run: (command, world) => runIn(start, command, world) },
  };
}

/**
 * An image of tools: runs the commands it is given, and nothing by itself. `program` answers for its own interpreter.
 */
export function toolImage(spec: ImageSpec, program?: (start: Start) => Process | undefined): Image {
  return {
    repositories: spec.names.map(fullName),
    tags: spec.tags,
    layers: spec.layersMB.map((mb) => Math.round(mb * MB)),
    config: spec.config ?? {},
    start: (start) => program?.(start) ?? scriptProcess(start),
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
