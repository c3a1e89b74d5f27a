import { COREFILE, type PodHttpAnswer, type PodHttpRequest, type Start } from '@terrarium/engine';
import { COREFILES } from '../../../engine/node/kubelet/container/in-cluster.js';
import type { Server } from '../../programs/server.js';
import { readConfiguration, type Configuration } from './configuration.js';
import { CorefileFault } from './corefile.js';
import { hashLine, hashOf, tendReloads } from './reload.js';
import { answerAndLog, findLoop } from './server.js';

const DEFAULT_PATH = 'Corefile';
const CLUSTER_DNS = '10.96.0.10';
const VERSION = '1.13.1';
const EMPTY_COREFILE = '. {\n    log\n}\n';

/** Where `-conf` points. */
function pathOf({ argv }: Start): string {
  const at = argv.findIndex((word) => word === '-conf' || word === '--conf');
  return at < 0 ? DEFAULT_PATH : (argv[at + 1] ?? DEFAULT_PATH);
}

const readNow = (start: Start): string | undefined => start.files()[pathOf(start)];

/** The Corefile that a run began with. */
const readAtStart = (start: Start): string => start.kept ?? COREFILE;

function read(start: Start, text: string): Configuration {
  const files = start.files();
  return readConfiguration(text, pathOf(start), (path) => files[path] ?? '');
}

/** What it goes by: the file of now, when it is right and the reload plug-in looks at it; else that of its start. */
export function configurationOf(start: Start): Configuration {
  const first = read(start, readAtStart(start));
  const now = first.reloads ? readNow(start) : undefined;
  if (now === undefined || now === readAtStart(start)) return first;
  try {
    return read(start, now);
  } catch (error) {
    if (error instanceof CorefileFault) return first;
    throw error;
  }
}

/** What has to be stored of a run: a Corefile that is not kubeadm's. */
export function keptOf(start: Start): string | undefined {
  const text = readNow(start) ?? EMPTY_COREFILE;
  return text === COREFILE ? undefined : text;
}

/** CoreDNS. Left out: metrics but those of its build, TLS, gRPC, zone files. */
export const coredns: Server = {
  portsOf: (start) => {
    const { zones, ports } = tryConfiguration(start) ?? { zones: [], ports: {} };
    return [...new Set([...zones.map(({ port }) => port), ...Object.values(ports)])];
  },
  readyAfterMs: 250,
  stop: { afterMs: 5_000, code: 0 },
  log: (start) => startLines(start),
  fails: (start) => {
    try {
      const configuration = read(start, readAtStart(start));
      const loop = findLoop(configuration, [], [CLUSTER_DNS, start.pod.ip]);
      return loop === undefined ? undefined : { code: 1, lines: [...startLines(start), loopLine()] };
    } catch (error) {
      if (error instanceof CorefileFault) return { code: 1, lines: [error.message] };
      throw error;
    }
  },
  serve,
  wakes: [COREFILES],
  tends: (_api, start, tools) => {
    const first = readAtStart(start);
    const reloads = { path: pathOf(start), first, text: readNow(start), read: (text: string) => read(start, text) };
    if (tryRead(start, first)?.reloads) tendReloads(start, reloads, tools);
    return true;
  },
  answerName: (question, start) => answerAndLog(configurationOf(start), question),
  logsRequests: (start) => tryConfiguration(start)?.zones.some(({ logs }) => logs.length > 0) ?? false,
};

function tryConfiguration(start: Start): Configuration | undefined {
  try {
    return configurationOf(start);
  } catch (error) {
    if (error instanceof CorefileFault) return undefined;
    throw error;
  }
}

function tryRead(start: Start, text: string): Configuration | undefined {
  try {
    return read(start, text);
  } catch (error) {
    if (error instanceof CorefileFault) return undefined;
    throw error;
  }
}

function startLines(start: Start): string[] {
  const text = readAtStart(start);
  const { zones, reloads } = read(start, text);
  const addresses = zones.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`));
  const version = /:v?(\d+\.\d+\.\d+)/.exec(start.container.image ?? '')?.[1] ?? VERSION;
  return [
    ...addresses,
    ...(reloads ? [hashLine(hashOf(text, pathOf(start)))] : []),
    `CoreDNS-${version}`,
    'linux/amd64, go1.25.2, 1db4568',
  ];
}

const loopLine = (): string =>
  '[FATAL] plugin/loop: Loop (127.0.0.1:42291 -> :53) detected for zone ".", see ' +
  'https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."';

function serve({ port, path }: PodHttpRequest, start: Start): PodHttpAnswer {
  const { ports } = configurationOf(start);
  const route = path.split('?', 1)[0];
  if (port === ports.health && route === '/health') return { status: 200, body: 'OK' };
  if (port === ports.ready && route === '/ready') return { status: 200, body: 'OK' };
  if (port === ports.prometheus && route === '/metrics') return { status: 200, headers: TEXT, body: METRICS };
  return { status: 404, headers: TEXT, body: '404 page not found\n' };
}
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const METRICS = `# HELP coredns_build_info A metric with a constant '1' value labeled by version, revision, and goversion from which CoreDNS was built.
# TYPE coredns_build_info gauge
coredns_build_info{goversion="go1.25.2",revision="1db4568",version="${VERSION}"} 1
`;
