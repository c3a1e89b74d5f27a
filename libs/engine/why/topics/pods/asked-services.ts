import type { Container, Pod, Probe, Service } from '../../../api/core_v1.js';
import { Services } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { MAX_DEPTH, unique, type World } from '../../world.js';
import { foreignNames } from './pod-names.js';

/** Services that one pod's commands name, of those that are looked at. */
const MAX_ASKED = 4;
const MAX_WORDS = 500;
const BREAKS = /[\s"'`;|&()<>=,@/{}[\]$]+/;
const HOST = /^([a-z][a-z0-9-]*)(?:\.([a-z0-9-]+))?(?:\.svc(?:\.[a-z.]+)?)?\.?(?::(\d+))?$/;
const PORT = /^\d{1,5}$/;
const SCHEMES: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** A Service that a command asks, by the name and at the port that it says. */
interface Asked {
  readonly service: Service;
  readonly host: string;
  readonly port?: number;
}

/** What is wrong with the Services that containers ask which do not get ready, or fail. */
export function askedServices(world: World, pod: Pod, depth: number): WhyFinding[] {
  if (depth >= MAX_DEPTH || foreignNames(world, pod)) return [];
  const asked = troubled(pod).flatMap((container) => namedServices(world, pod, wordsOf(container)));
  const isFirst = ({ service }: Asked, i: number): boolean => asked.findIndex((one) => one.service === service) === i;
  return unique(
    asked
      .filter(isFirst)
      .slice(0, MAX_ASKED)
      .flatMap((one) => reachFindings(world, pod, one, depth)),
  );
}

/** Why a pod does not get through to a Service: what is wrong with it, or with the way to it. */
export function reachFindings(world: World, pod: Pod, { service, host, port }: Asked, depth: number): WhyFinding[] {
  const { namespace = '', name = '' } = service.metadata;
  const from = { type: 'pod' as const, namespace: pod.metadata.namespace ?? '', name: pod.metadata.name ?? '' };
  const isOfNodes = ({ reason }: WhyFinding): boolean => reason === 'NetworkPolicy' || reason.startsWith('Connection');
  // What nodes are told says nothing of this pod.
  const own = world.explain('services', service, depth + 1).filter((one) => !isOfNodes(one));
  const asks = port ?? service.spec.ports?.[0]?.port;
  if (asks === undefined || pod.status.podIP === undefined) return own;
  const way = { from, port: asks, protocol: 'TCP' as const };
  // Who does not learn the address has a reason of his own.
  const isOfNames = ({ message }: WhyFinding): boolean => message.includes('the name server');
  if (own.length > 0) {
    const name = world.connection({ ...way, to: { type: 'name', name: host } });
    return name.some(isOfNames) ? [...own, ...name] : own;
  }
  const found = world.connection({ ...way, to: { type: 'service', namespace, name } });
  return found.length > 0 ? found : world.connection({ ...way, to: { type: 'name', name: host } });
}

/** Containers that do not get ready, or have failed: an init container that is not done, too. */
function troubled({ spec, status }: Pod): Container[] {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return [...(spec.initContainers ?? []), ...spec.containers].filter(({ name }) => {
    const found = statuses.find((one) => one.name === name);
    const ended = found?.state?.terminated ?? found?.lastState?.terminated;
    return (
      found !== undefined && ((!found.ready && found.state?.terminated?.exitCode !== 0) || (ended?.exitCode ?? 0) !== 0)
    );
  });
}

const probeWords = (probe: Probe | undefined): string[] => probe?.exec?.command ?? [];

/** The words of what a container runs, and of the variables that it is given. */
function wordsOf(container: Container): string[] {
  const { command = [], args = [], env = [], startupProbe, readinessProbe, livenessProbe } = container;
  const texts = [
    ...command,
    ...args,
    ...env.map(({ value = '' }) => value),
    ...[startupProbe, readinessProbe, livenessProbe].flatMap(probeWords),
  ];
  return texts.flatMap((text) => text.split(BREAKS)).slice(0, MAX_WORDS);
}

function namedServices({ read }: World, pod: Pod, words: readonly string[]): Asked[] {
  const own = pod.metadata.namespace ?? '';
  return words.flatMap((word, i) => {
    const [, name = '', namespace = own, after] = HOST.exec(word) ?? [];
    const service = name === '' ? undefined : read.get(Services, { namespace, name });
    if (!service) return [];
    const next = words[i + 1] ?? '';
    const port = after ?? (PORT.test(next) ? next : SCHEMES[words[i - 1] ?? '']);
    return [{ service, host: word.replace(/:\d+$/, ''), ...(port === undefined ? {} : { port: Number(port) }) }];
  });
}
