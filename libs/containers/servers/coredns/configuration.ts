import { CorefileFault, parseCorefile, type Directive, type ServerBlock } from './corefile.js';
import { readForward, type Forward } from './plugins/forward.js';
import { readHosts, type Hosts } from './plugins/hosts.js';
import { readKubernetes } from './plugins/kubernetes.js';
import type { KubernetesZone } from './plugins/lookup.js';
import { readLog, type Log } from './plugins/log.js';
import { readRewrite, type Rewrite } from './plugins/rewrite.js';
import { argumentFault, fault, readDuration } from './plugins/words.js';

/** One server block, read. */
export interface Zone {
  /** 'cluster.local.', '.'. */
  readonly names: readonly string[];
  readonly port: number;
  readonly rewrites: readonly Rewrite[];
  readonly hosts?: Hosts;
  readonly kubernetes: readonly KubernetesZone[];
  readonly forwards: readonly Forward[];
  readonly logs: readonly Log[];
}

export interface Configuration {
  readonly zones: readonly Zone[];
  /** What the health, ready and prometheus plug-ins listen on. */
  readonly ports: { readonly health?: number; readonly ready?: number; readonly prometheus?: number };
  readonly lameduckMs: number;
  readonly reloads: boolean;
  readonly detectsLoops: boolean;
}

/** All of CoreDNS' own plug-ins: plugin.cfg of 1.13. */
const KNOWN = new Set(
  (
    'root metadata geoip cancel tls quic timeouts multisocket reload nsid bufsize bind debug trace ready health pprof ' +
    'prometheus errors log dnstap local dns64 any chaos loadbalance tsig cache rewrite header dnssec autopath ' +
    'minimal template transfer hosts route53 azure clouddns k8s_external kubernetes file auto secondary etcd loop ' +
    'forward grpc erratic whoami on sign view nomad grpc_server https https3'
  ).split(' '),
);
/** Those that change nothing here, or nothing that can be seen. */
const WITHOUT_EFFECT = new Set(
  'metadata cancel timeouts multisocket nsid bufsize debug pprof errors dnstap loadbalance cache minimal'.split(' '),
);
const SIMULATED = new Set('reload ready health prometheus rewrite hosts kubernetes forward loop log'.split(' '));

const DNS_PORT = 53;

/** Throws CorefileFault, in CoreDNS' words. */
export function readConfiguration(text: string, file: string, readFile: (path: string) => string): Configuration {
  const blocks = parseCorefile(text, file);
  for (const { name, line } of blocks.flatMap(({ directives }) => directives)) {
    if (!KNOWN.has(name))
      throw new CorefileFault(`${file}:${line} - Error during parsing: Unknown directive '${name}'`);
  }
  const zones: Zone[] = [];
  const seen = new Set<string>();
  const ports: { health?: number; ready?: number; prometheus?: number } = {};
  let lameduckMs = 0;
  const has = (name: string) => blocks.some(({ directives }) => directives.some((d) => d.name === name));
  for (const block of blocks) {
    for (const zone of readZones(block, file, readFile)) {
      for (const name of zone.names) {
        const key = `dns://${name}:${zone.port}`;
        if (seen.has(key)) throw new CorefileFault(`cannot serve ${key} - it is already defined`);
        seen.add(key);
      }
      zones.push(zone);
    }
    for (const directive of block.directives) {
      const { name, args } = directive;
      if (name === 'health') {
        ports.health = portOf(args[0], 8080);
        lameduckMs = readLameduck(directive, file);
      } else if (name === 'ready') ports.ready = portOf(args[0], 8181);
      else if (name === 'prometheus') ports.prometheus = portOf(args[0], 9153);
      else if (name === 'reload') for (const text of args) readDuration('reload', text, file, directive.line);
    }
  }
  return { zones, ports, lameduckMs, reloads: has('reload'), detectsLoops: has('loop') };
}

function readZones(block: ServerBlock, file: string, readFile: (path: string) => string): Zone[] {
  const byPort = new Map<number, string[]>();
  for (const key of block.keys) {
    const { name, port } = readKey(key, file, block.line);
    byPort.set(port, [...(byPort.get(port) ?? []), name]);
  }
  const of = (name: string): Directive[] => block.directives.filter((d) => d.name === name);
  for (const { name, line } of block.directives) {
    if (!SIMULATED.has(name) && !WITHOUT_EFFECT.has(name))
      throw fault(name, `the plug-in ${name} is not simulated`, file, line);
  }
  const hosts = of('hosts')[0];
  return [...byPort].map(([port, names]) => ({
    ...{ names, port },
    rewrites: of('rewrite').map((directive) => readRewrite(directive, file)),
    ...(hosts && { hosts: readHosts(hosts, file, readFile) }),
    kubernetes: of('kubernetes').map((directive) => readKubernetes(directive, names, file)),
    forwards: of('forward').map((directive) => readForward(directive, file)),
    logs: of('log').map((directive) => readLog(directive, names, file)),
  }));
}

/** 'dns://cluster.local:53', '.', '10.0.0.0/8' (a reverse zone by octets). */
function readKey(key: string, file: string, line: number): { readonly name: string; readonly port: number } {
  const [scheme, rest] = key.includes('://') ? key.split('://', 2) : ['dns', key];
  if (scheme !== 'dns') throw fault(scheme ?? '', `transport ${scheme} is not simulated`, file, line);
  const colon = (rest ?? '').lastIndexOf(':');
  const port = colon < 0 ? DNS_PORT : Number((rest ?? '').slice(colon + 1));
  const zone = colon < 0 ? (rest ?? '') : (rest ?? '').slice(0, colon);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CorefileFault(`${file}:${line} - Error during parsing: invalid port in '${key}'`);
  return { name: absolute(reverseZone(zone) ?? zone), port };
}

function reverseZone(text: string): string | undefined {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(8|16|24)$/.exec(text);
  if (!found) return undefined;
  const octets = found.slice(1, 1 + Number(found[5]) / 8);
  return `${octets.reverse().join('.')}.in-addr.arpa`;
}

export const absolute = (name: string): string => {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower : `${lower}.`;
};

function portOf(text: string | undefined, otherwise: number): number {
  const port = Number(text?.slice(text.lastIndexOf(':') + 1));
  return text !== undefined && Number.isInteger(port) && port > 0 && port < 65_536 ? port : otherwise;
}

function readLameduck({ block }: Directive, file: string): number {
  for (const { name, args, line } of block) {
    if (name !== 'lameduck') throw argumentFault('health', name, file, line);
    return readDuration('health', args[0] ?? '', file, line);
  }
  return 0;
}
