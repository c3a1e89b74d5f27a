import type { Pod } from '../../../api/core_v1.js';
import { Namespaces, Pods, Secrets, ServiceAccounts, Services } from '../../../kinds/index.js';
import { makeAccess } from '../../../machinery/requests/auth.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { explainMissing } from '../../missing.js';
import { explainRequest } from '../../request.js';
import { findingOf, MAX_DEPTH, refOf, refText, unique, type World } from '../../world.js';
import { reachFindings } from './asked-services.js';
import { foreignNames, podNameFindings } from './pod-names.js';

/** Names in one log that are looked up. */
const MAX_NAMES = 2;
const MAX_TRIED = 8;
const LINE = '| ';
const FORBIDDEN =
  /User "system:serviceaccount:([^:"]+):([^"]+)" cannot (\w+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]*)")?/;
/** As wget, nslookup, curl, Go, Node.js, and clients of databases say it. */
const UNKNOWN_NAME =
  /(?:can't find|bad address|resolve host:?|lookup|ENOTFOUND|translate host name|unknown host|host not found in upstream) ?['"]?([a-z0-9][a-z0-9.-]*[a-z0-9])/i;
const WITHOUT_TOKEN = /localhost:8080 was refused|serviceaccount\/token'?: no such file|load in-cluster configuration/i;

const TAKEN = /address already in use|EADDRINUSE/i;
const MAX_OTHERS = 5;

/** What stands behind the last lines of programs: rights, tokens and names that are not there. */
export function logClues(world: World, pod: Pod, found: readonly WhyFinding[], depth: number): WhyFinding[] {
  const lines = found.flatMap(({ details = [] }) => details.filter((line) => line.startsWith(LINE)));
  if (lines.length === 0 || depth >= MAX_DEPTH) return [];
  return [
    ...missingRight(world, lines),
    ...missingToken(world, pod, lines),
    ...missingNames(world, pod, lines, depth),
    ...takenPort(world, pod, lines),
  ];
}

function missingRight(world: World, lines: readonly string[]): WhyFinding[] {
  const match = lines.map((line) => FORBIDDEN.exec(line)).findLast((one) => one !== null);
  if (!match) return [];
  const [, own = '', name = '', verb = '', what = '', group = '', namespace = ''] = match;
  const [resource = '', subresource = ''] = what.split('/');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${own}`, 'system:authenticated'];
  const user = { name: `system:serviceaccount:${own}:${name}`, groups };
  const access = makeAccess(verb, { group, resource, subresource, namespace });
  const finding = explainRequest(world, user, access, undefined);
  return finding.reason === 'Forbidden' ? [finding] : [];
}

function missingToken({ read }: World, pod: Pod, lines: readonly string[]): WhyFinding[] {
  if (!lines.some((line) => WITHOUT_TOKEN.test(line))) return [];
  const { automountServiceAccountToken: own, serviceAccountName = 'default' } = pod.spec;
  const account = read.get(ServiceAccounts, { namespace: pod.metadata.namespace ?? '', name: serviceAccountName });
  const isOff = own ?? account?.automountServiceAccountToken;
  if (isOff !== false) return [];
  const where = own === false || !account ? 'the pod' : refOf(account);
  const message = `it has no token to show to the API server: automountServiceAccountToken is false in ${where}`;
  return [findingOf(pod, 'NoToken', message)];
}

/** Who else listens in the network of a pod, or of its node, where a program finds its port taken. */
function takenPort({ read }: World, pod: Pod, lines: readonly string[]): WhyFinding[] {
  if (!lines.some((line) => TAKEN.test(line))) return [];
  const { spec, status, metadata } = pod;
  const running = (one: Pod): string[] =>
    (one.status.containerStatuses ?? []).filter(({ state }) => state?.running).map(({ name }) => name);
  if (spec.hostNetwork === true) {
    const others = read
      .byIndex(Pods, 'nodeName', spec.nodeName ?? '')
      .filter((one) => one.spec.hostNetwork === true && one.metadata.uid !== metadata.uid && running(one).length > 0);
    const names = others.slice(0, MAX_OTHERS).map(refOf).join(', ');
    const message = `it has the network of its node, where others listen too: ${names || 'the node’s own programs'}`;
    return [findingOf(pod, 'PortTaken', message)];
  }
  if (spec.containers.length < 2 || !status.containerStatuses) return [];
  const names = running(pod).join(', ') || 'the others';
  return [
    findingOf(pod, 'PortTaken', `the containers of a pod share one network, and so its ports: ${names} runs in it`),
  ];
}

/** Names of Services that programs have asked for. */
function missingNames(world: World, pod: Pod, lines: readonly string[], depth: number): WhyFinding[] {
  const names = lines.map((line) => UNKNOWN_NAME.exec(line)?.[1]).filter((name) => name !== undefined);
  // A resolver says each name that its search list makes of one: most of them are of nobody.
  const found = [...new Set(names)].slice(-MAX_TRIED).map((host): WhyFinding[] => {
    const [name = '', namespace = pod.metadata.namespace ?? '', kind = 'svc'] = host.split('.');
    if (kind !== 'svc') return podNameFindings(world, pod, host);
    if (!world.read.get(Namespaces, { namespace: '', name: namespace })) return [];
    const foreign = foreignNames(world, pod);
    const service = world.read.get(Services, { namespace, name });
    if (service && foreign) return [foreign];
    return service
      ? reachFindings(world, pod, { service, host }, depth)
      : [explainMissing(world, Services, namespace, name).finding];
  });
  return unique(
    found
      .filter((findings) => findings.length > 0)
      .slice(0, MAX_NAMES)
      .flat(),
  );
}

const READ_TYPES = ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg'];

function missingSecret(read: World['read'], namespace: string, name: string): string {
  const others = read.list(Secrets).filter(({ metadata }) => metadata.name === name);
  const there = others.slice(0, MAX_NAMES).map(refOf).join(', ');
  const hint = there ? `; there is ${there}, which is no use: a pod reads secrets of its own namespace alone` : '';
  return `${refText('secret', namespace, name)}, one of its imagePullSecrets, is not there${hint}`;
}

/** Secrets of a pod that are not there, or say nothing of registries, whatever is in them. */
export function uselessPullSecrets({ read }: World, { metadata, spec }: Pod): string[] {
  const { namespace = '' } = metadata;
  return (spec.imagePullSecrets ?? []).flatMap(({ name = '' }) => {
    const secret = read.get(Secrets, { namespace, name });
    if (!secret) return [missingSecret(read, namespace, name)];
    if (READ_TYPES.includes(secret.type ?? '')) return [];
    return [
      `${refOf(secret)} is of type ${secret.type ?? 'Opaque'}, and no pull reads it: it must be ${READ_TYPES[0]}`,
    ];
  });
}
