import { readTargets } from '../../discovery/targets.js';
import { pathOf } from '../../discovery/resources.js';
import { KubectlFailure, UsageFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';
import { podOf, podPath } from './exec.js';

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly targetPort?: number | string;
  readonly containerPort?: number;
  readonly protocol?: string;
}

/** Models k8s.io/kubectl/pkg/cmd/portforward. */
const portForward: Command = {
  flags: ['address:', 'pod-running-timeout:'],
  run(session) {
    const [target, ...ports] = session.args;
    if (target === undefined || ports.length === 0)
      throw new UsageFailure('TYPE/NAME and list of ports are required for port-forward', session.path);
    const service = serviceOf(session, target);
    const pod = podOf(session, target);
    const { phase = '' } = (pod['status'] ?? {}) as { phase?: string };
    const pairs = ports.map((text) => readPair(text, service, pod));
    if (phase !== 'Running')
      throw new KubectlFailure(`unable to forward port because pod is not running. Current status=${phase}`);
    const addresses = session.flags.has('address') ? session.flags.list('address') : ['localhost'];
    const all = addresses.flatMap((one) => (one === 'localhost' ? ['127.0.0.1', '::1'] : [one]));
    session.listening = {
      ports: pairs.flatMap((pair) => all.map((address) => ({ address, ...pair }))),
      path: `${podPath(session, pod)}/portforward`,
      ip: String(((pod['status'] ?? {}) as { podIP?: string }).podIP ?? ''),
      prefix: '',
    };
  },
};

function serviceOf(session: Session, target: string): ApiObject | undefined {
  if (!target.includes('/')) return undefined;
  const [found] = readTargets(session, [target]);
  const { resource, names } = found!;
  return resource.plural === 'services' ? session.get(pathOf(resource, session.namespace, names[0]!)) : undefined;
}

const portsOf = (object: ApiObject): readonly Port[] => ((object['spec'] ?? {}) as { ports?: Port[] }).ports ?? [];

const containerPorts = (pod: ApiObject): readonly Port[] =>
  (((pod['spec'] ?? {}) as { containers?: { ports?: Port[] }[] }).containers ?? []).flatMap(({ ports = [] }) => ports);

/** `8080:80`, `80`, `:80`, `8080:http`. Throws KubectlFailure. */
function readPair(text: string, service: ApiObject | undefined, pod: ApiObject): { local: number; remote: number } {
  const parts = text.split(':');
  if (parts.length > 2) throw new KubectlFailure(`invalid port format '${text}'`);
  const [first = '', last = first] = parts;
  if (last === '') throw new KubectlFailure('remote port cannot be empty');
  if (/^\d+$/.test(first)) numberOf(first, 'local');
  const remote = service ? throughService(last, service, pod) : ofPod(last, pod);
  const local =
    parts.length === 1
      ? service && /^\d+$/.test(first)
        ? Number(first)
        : remote
      : first === ''
        ? 0
        : numberOf(first, 'local');
  return { local: parts.length === 1 && service && !/^\d+$/.test(first) ? portNamed(service, first) : local, remote };
}

function numberOf(text: string, what: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number < 65_536) return number;
  const why = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new KubectlFailure(
    `error parsing ${what} port '${text}': strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`,
  );
}

function ofPod(text: string, pod: ApiObject): number {
  if (/^\d+$/.test(text)) {
    const number = numberOf(text, 'remote');
    if (number === 0) throw new KubectlFailure('remote port must be > 0');
    const declared = containerPorts(pod).filter(({ containerPort }) => containerPort === number);
    if (declared.length > 0 && declared.every(({ protocol }) => protocol === 'UDP'))
      throw new KubectlFailure(`UDP protocol is not supported for ${text}`);
    return number;
  }
  const found = containerPorts(pod).find(({ name }) => name === text)?.containerPort;
  if (found === undefined)
    throw new KubectlFailure(`Pod '${pod.metadata?.name ?? ''}' does not have a named port '${text}'`);
  return found;
}

function portNamed(service: ApiObject, text: string): number {
  const found = portsOf(service).find(({ name }) => name === text)?.port;
  if (found === undefined)
    throw new KubectlFailure(`Service '${service.metadata?.name ?? ''}' does not have a named port '${text}'`);
  return found;
}

/** The pod's port behind a port of its Service. Models pkg/util LookupContainerPortNumberByServicePort. */
function throughService(text: string, service: ApiObject, pod: ApiObject): number {
  const number = /^\d+$/.test(text) ? numberOf(text, 'remote') : portNamed(service, text);
  const found = portsOf(service).find(({ port }) => port === number);
  if (!found)
    throw new KubectlFailure(`Service ${service.metadata?.name ?? ''} does not have a service port ${number}`);
  if (found.protocol === 'UDP') throw new KubectlFailure(`UDP protocol is not supported for ${text}`);
  const isHeadless = ((service['spec'] ?? {}) as { clusterIP?: string }).clusterIP === 'None';
  const { targetPort = number } = found;
  if (typeof targetPort === 'string') return ofPod(targetPort, pod);
  return isHeadless && targetPort === 0 ? number : targetPort || number;
}

/** Models k8s.io/kubectl/pkg/cmd/proxy. */
const proxy: Command = {
  flags: [
    ...['p,port:', 'address:', 'api-prefix:', 'w,www:', 'P,www-prefix:', 'accept-paths:', 'reject-paths:'],
    ...['accept-hosts:', 'reject-methods:', 'disable-filter', 'u,unix-socket:', 'keepalive:', 'append-server-path'],
  ],
  run(session) {
    const { flags } = session;
    const absent = [
      'www',
      'unix-socket',
      'accept-paths',
      'reject-paths',
      'accept-hosts',
      'reject-methods',
      'disable-filter',
    ];
    const used = absent.find((name) => flags.has(name));
    if (used !== undefined) throw new KubectlFailure(`--${used} is not simulated`);
    const text = flags.value('port') || '8001';
    if (!/^\d+$/.test(text))
      throw new UsageFailure(
        `invalid argument ${JSON.stringify(text)} for "-p, --port" flag: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
        ...([session.path, 'usage'] as const),
      );
    const prefix = flags.value('api-prefix') || '/';
    const address = flags.value('address') || '127.0.0.1';
    session.listening = {
      ports: [{ address, local: Number(text), remote: 0 }],
      ...{ path: '', ip: '', prefix: prefix.endsWith('/') ? prefix : `${prefix}/` },
    };
  },
};

export const group: CommandGroup = { commands: { 'port-forward': portForward, proxy } };
