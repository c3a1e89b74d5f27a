import type { Container, Pod, Volume } from '../../../api/core_v1.js';
import { ConfigMaps, Secrets } from '../../../kinds/index.js';
import type { PastChange } from '../../../machinery/past-change.js';
import { timestamp } from '../../../machinery/time/time.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { actorText } from '../../text.js';
import { findingOf, type World } from '../../world.js';

/** Objects that are looked up in the past. */
const MAX_SOURCES = 4;
const LINE = '| ';

/** A ConfigMap or Secret that a container reads, and where. */
interface Source {
  readonly resource: 'configmaps' | 'secrets';
  readonly name: string;
  readonly where: string;
  /** The folder or file that it lies in; absent of variables. */
  readonly path?: string;
}

/**
 * What programs that fail were configured with, where somebody has changed it since it was made, or where their last
 * lines name its file: what they say is wrong stands in it.
 */
export function changedConfig(world: World, pod: Pod, found: readonly WhyFinding[]): WhyFinding[] {
  const lines = found.flatMap(({ details = [] }) => details.filter((line) => line.startsWith(LINE)));
  if (lines.length === 0) return [];
  const isNamed = ({ path }: Source): boolean => path !== undefined && lines.some((line) => line.includes(path));
  const sources = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap((one) => sourcesOf(pod, one));
  const first = sources.filter(
    ({ resource, name }, i) => sources.findIndex((one) => one.resource === resource && one.name === name) === i,
  );
  return first.slice(0, MAX_SOURCES).flatMap((source) => {
    const change = lastChange(world, pod, source);
    const isChanged = change?.verb === 'update';
    return change && (isChanged || isNamed(source)) ? [configFinding(world, pod, source, change)] : [];
  });
}

function lastChange(world: World, { metadata }: Pod, { resource, name }: Source): PastChange | undefined {
  const filter = { resource, namespace: metadata.namespace ?? '', name, ofUsers: true };
  return world.past({ type: 'search', filter, before: Number.MAX_SAFE_INTEGER, limit: 1 }).changes[0];
}

function configFinding(world: World, pod: Pod, { resource, name, where }: Source, change: PastChange): WhyFinding {
  const { namespace = '' } = pod.metadata;
  const kind = resource === 'configmaps' ? 'ConfigMap' : 'Secret';
  const object = world.read.get(kind === 'ConfigMap' ? ConfigMaps : Secrets, { namespace, name });
  const did = change.verb === 'update' ? 'changed' : 'created';
  const message = `its pod reads it ${where}; ${actorText(change.actor)} ${did} it at ${timestamp(change.at)}`;
  const own = object ?? { apiVersion: 'v1', kind, metadata: { namespace, name } };
  return findingOf(own, 'ConfigRead', message, { revision: change.revision });
}

function sourcesOf({ spec }: Pod, { env = [], envFrom = [], volumeMounts = [] }: Container): Source[] {
  const at = (path: string) => ({ where: `at ${path}`, path });
  const mounted = volumeMounts.flatMap(({ name, mountPath }) => {
    const volume = spec.volumes?.find((one) => one.name === name);
    return volume ? ofVolume(volume).map((one) => ({ ...one, ...at(mountPath) })) : [];
  });
  const where = 'in its variables';
  const variables = [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => ofRefs(configMapRef?.name, secretRef?.name)),
    ...env.flatMap(({ valueFrom }) => ofRefs(valueFrom?.configMapKeyRef?.name, valueFrom?.secretKeyRef?.name)),
  ];
  return [...mounted, ...variables.map((one) => ({ ...one, where }))];
}

type Ref = Pick<Source, 'name' | 'resource'>;

const ofRefs = (configMap: string | undefined, secret: string | undefined): Ref[] => [
  ...(configMap ? [{ resource: 'configmaps' as const, name: configMap }] : []),
  ...(secret ? [{ resource: 'secrets' as const, name: secret }] : []),
];

/** Of a projected volume those that an author names: every pod has the authority's certificate. */
function ofVolume({ configMap, secret, projected }: Volume): Ref[] {
  const sources = projected?.sources ?? [];
  return [
    ...ofRefs(configMap?.name, secret?.secretName),
    ...sources.flatMap((one) => ofRefs(one.configMap?.name, one.secret?.name)),
  ].filter(({ name }) => name !== 'kube-root-ca.crt');
}
