import type { Endpoint, EndpointSlice } from '../../../api/discovery_v1.js';
import type { Service, ServicePort } from '../../../api/core_v1.js';
import { DaemonSets, EndpointSlices, NetworkPolicies, Nodes, Pods } from '../../../kinds/index.js';
import type { TraceAnswer } from '../../../machinery/questions/trace.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { explainMissing } from '../../missing.js';
import { findingOf, MAX_DEPTH, refOf, refText, revisionOf, type World } from '../../world.js';
import { controllerDown } from '../workloads.js';

export const SERVICE_NAME = 'kubernetes.io/service-name';
/** Nodes that are asked from: kube-proxy of one may know what that of another does not. */
const MAX_NODES = 3;
const BECOMES = /^(\S+) becomes (.+):(\d+)$/;

/** What becomes of a connection from a node to a port of a Service, when it is not delivered. */
export function wayFindings(world: World, service: Service, port: ServicePort, name: string): WhyFinding[] {
  const { namespace = '', name: own = '' } = service.metadata;
  return world.read
    .list(Nodes)
    .slice(0, MAX_NODES)
    .flatMap((node) => {
      const from = { type: 'node' as const, name: node.metadata.name ?? '' };
      const to = { type: 'service' as const, namespace, name: own };
      const answer = world.trace({ from, to, port: port.port, protocol: 'TCP' }, world.now);
      if (typeof answer === 'string' || answer.verdict === 'Delivered') return [];
      const details = answer.hops.map(({ at, text }) => `${at}: ${text}`);
      const isLost = answer.verdict !== 'Dropped' || answer.hops.at(-1)?.type === 'loss';
      const policy = isLost ? undefined : answer.hops.findLast(({ type }) => type === 'policy');
      if (policy) return [policyFinding(world, service, policy.text, details)];
      const message = `a connection from ${refOf(node)} to port ${name} is ${answer.verdict.toLowerCase()}: ${answer.reason}`;
      const way = findingOf(service, `Connection${answer.verdict}`, message, { details });
      const causes = proxyCauses(world, service, answer.hops);
      return [[...(causes.length > 0 ? causes : unknownFindings(world, service, answer)), way]];
    })
    .slice(0, 1)
    .flat();
}

/** A policy lets only some in: who is meant gets through. */
function policyFinding({ read }: World, service: Service, text: string, details: string[]): WhyFinding {
  const policy = read
    .list(NetworkPolicies)
    .find(({ metadata }) => text.includes(`${metadata.namespace}/${metadata.name}`));
  const message = `not everybody may connect to its pods: ${text}`;
  return findingOf(service, 'NetworkPolicy', message, {
    details,
    revision: policy ? revisionOf(policy) : revisionOf(service),
  });
}

/** What the rules of a node do with a Service's address, where that is not what the Service's endpoints ask for. */
export function proxyCauses(world: World, service: Service, hops: TraceAnswer['hops']): WhyFinding[] {
  const ready = endpointsOf(world, service).filter(({ conditions }) => conditions?.ready !== false);
  const rule = hops.findLast(({ type }) => type === 'rule')?.text ?? '';
  if (rule.includes('has no local endpoints')) return [localFinding(service, ready, hops)];
  if (rule.includes('has no endpoints') && ready.length === 0) {
    const { selector } = service.spec;
    return selector ? controllerDown(world, service, 'endpointslice') : [];
  }
  const own = `${service.spec.clusterIP ?? ''}:`;
  const translated = hops.findLast(({ type, text }) => type === 'translation' && text.startsWith(own));
  const [, , address = ''] = BECOMES.exec(translated?.text ?? '') ?? [];
  if (!translated || ready.length === 0 || ready.some(({ addresses }) => addresses?.includes(address))) return [];
  const node = translated.at.replace(/^node /, '');
  const message =
    `the rules of node ${node} lead ${refOf(service)} to ${address}, which is not among its endpoints now: ` +
    `kube-proxy there does not run, or does not follow the Service`;
  return [{ object: refText('node', '', node), reason: 'StaleServiceRules', message }, ...proxyPods(world, node)];
}

/** A Service with ready endpoints whose address no rule of the node translates: kube-proxy there has not seen it. */
export function unknownFindings(world: World, service: Service, { hops, verdict }: TraceAnswer): WhyFinding[] {
  const address = service.spec.clusterIP ?? '';
  const isKnown = hops.some(
    ({ type, text }) => (type === 'translation' && text.startsWith(address)) || text.includes('--reject-with'),
  );
  const node = hops.find(({ at }) => at.startsWith('node '))?.at.slice('node '.length);
  if (isKnown || node === undefined || verdict !== 'Dropped' || hops.some(({ type }) => type === 'policy')) return [];
  const rules = `no rules for ${refOf(service)} (${address})`;
  const message = `kube-proxy of node ${node} has ${rules}: it does not run, or has not seen the Service`;
  return [{ object: refText('node', '', node), reason: 'NoServiceRules', message }, ...proxyPods(world, node)];
}

/** What is wrong with kube-proxy's pod on a node. */
export function proxyPods(world: World, node: string): WhyFinding[] {
  const pods = world.read
    .byIndex(Pods, 'nodeName', node)
    .filter(({ metadata }) => metadata.labels?.['k8s-app'] === PROXY);
  if (pods.length > 0) return pods.flatMap((pod) => world.explain('pods', pod, MAX_DEPTH));
  const set = world.read.get(DaemonSets, { namespace: 'kube-system', name: PROXY });
  return set
    ? world.explain('daemonsets.apps', set, MAX_DEPTH)
    : [explainMissing(world, DaemonSets, 'kube-system', PROXY).finding];
}

const PROXY = 'kube-proxy';

function localFinding(service: Service, ready: readonly Endpoint[], hops: TraceAnswer['hops']): WhyFinding {
  const node = hops.findLast(({ type }) => type === 'rule')?.at.replace(/^node /, '') ?? '';
  const { internalTrafficPolicy, externalTrafficPolicy } = service.spec;
  const policy =
    internalTrafficPolicy === 'Local'
      ? 'internalTrafficPolicy'
      : `externalTrafficPolicy ${externalTrafficPolicy ?? ''}`;
  const nodes = [...new Set(ready.map(({ nodeName = '' }) => nodeName))];
  const has = nodes.length > 0 ? `they are on ${nodes.join(', ')}` : 'none is ready';
  const rule = internalTrafficPolicy === 'Local' ? `${policy} Local` : policy;
  const message = `node ${node} has no endpoint of it, and its ${rule} leads to those of the asker's own node alone: ${has}`;
  return findingOf(service, 'NoLocalEndpoints', message);
}

export const slicesOf = ({ read }: World, { metadata }: Service): EndpointSlice[] =>
  read.list(EndpointSlices, metadata.namespace).filter((one) => one.metadata.labels?.[SERVICE_NAME] === metadata.name);

const endpointsOf = (world: World, service: Service): Endpoint[] =>
  slicesOf(world, service).flatMap(({ endpoints }) => endpoints ?? []);
