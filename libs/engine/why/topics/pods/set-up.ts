import type { Container, Pod } from '../../../api/core_v1.js';
import { ConfigMaps, PersistentVolumes, Secrets } from '../../../kinds/index.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, lastEvent, refOf, revisionOf, type World } from '../../world.js';
import { placesOf } from '../storage.js';
import { pullFinding } from './pulls.js';

export const NOT_BEGUN = new Set(['ContainerCreating', 'PodInitializing']);
const SET_UP_REASONS = [
  'FailedMount',
  'FailedAttachVolume',
  'FailedPrepareDynamicResources',
  'FailedCreatePodSandBox',
  'NetworkNotReady',
];
const ELSEWHERE = /NodeAffinity check failed for volume "([^"]+)"/;
const NO_DRIVER = /DRA driver (\S+) is not registered/;
const NO_KEY = /couldn't find key (\S+) in (ConfigMap|Secret) ([^/\s]+)\/(\S+)/;

/** What keeps a pod from having a sandbox, its volumes, its devices and its images. */
export function setUpFinding(world: World, pod: Pod): WhyFinding | undefined {
  const statuses = [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])];
  const waits = statuses.some(({ state }) => NOT_BEGUN.has(state?.waiting?.reason ?? ''));
  const hasRun = statuses.some(({ state, lastState }) => state?.running ?? state?.terminated ?? lastState?.terminated);
  if (!waits || hasRun) return undefined;
  const event = lastEvent(world, pod, SET_UP_REASONS);
  if (!event) return pullFinding(world, pod);
  const { reason = '', message = '' } = event;
  const details = [
    ...elsewhere(world, pod, message),
    ...withoutDriver(pod, message),
    ...otherKeys(world, pod, message),
  ];
  return findingOf(pod, reason, message, { revision: revisionOf(event), ...(details.length > 0 ? { details } : {}) });
}

/** From where a volume can be reached, and who has named another node. */
function elsewhere({ read }: World, { spec }: Pod, message: string): string[] {
  const name = ELSEWHERE.exec(message)?.[1];
  const volume = name === undefined ? undefined : read.get(PersistentVolumes, { namespace: '', name });
  if (!volume) return [];
  return [
    `${refOf(volume)} can be reached from nodes of ${placesOf(volume)} alone; the pod was put on ${spec.nodeName} past ` +
      'the scheduler (spec.nodeName), which would have looked at that',
  ];
}

function withoutDriver({ spec }: Pod, message: string): string[] {
  const driver = NO_DRIVER.exec(message)?.[1];
  if (driver === undefined) return [];
  return [
    `no pod of ${spec.nodeName} that is ready has registered ${driver} with its kubelet ` +
      '(by a hostPath below /var/lib/kubelet/plugins)',
  ];
}

const NO_MOUNTED_KEY = /for volume "([^"]+)" : references non-existent (secret|config) key/;

/** The keys of the ConfigMap or Secret of which a volume wants another. */
function otherKeys({ read }: World, { metadata, spec }: Pod, message: string): string[] {
  const volume = spec.volumes?.find(({ name }) => name === NO_MOUNTED_KEY.exec(message)?.[1]);
  const sources = [...(volume?.projected?.sources ?? []), ...(volume ? [volume] : [])];
  const namespace = metadata.namespace ?? '';
  return sources.flatMap(({ configMap, secret }) => {
    const name = configMap?.name ?? (secret && ('secretName' in secret ? secret.secretName : undefined));
    const kind = configMap ? ConfigMaps : Secrets;
    const found = name === undefined ? undefined : read.get<KeyedObject>(kind, { namespace, name });
    return found ? [keysText(found)] : [];
  });
}

const OF_SUB_PATH = /volume-subpaths\/([^/]+)\//;

/** A sub-path of a ConfigMap or Secret that has no such key is an empty folder, which does not fit over a file. */
export function missingSubPath({ read }: World, { metadata, spec }: Pod, container: Container, said: string): string[] {
  const volume = spec.volumes?.find(({ name }) => name === OF_SUB_PATH.exec(said)?.[1]);
  const { configMap, secret } = volume ?? {};
  const namespace = metadata.namespace ?? '';
  const source = configMap
    ? read.get(ConfigMaps, { namespace, name: configMap.name ?? '' })
    : secret && read.get(Secrets, { namespace, name: secret.secretName ?? '' });
  if (!source) return [];
  const items = configMap?.items ?? secret?.items;
  const files = items ? items.map(({ path }) => path) : Object.keys(source.data ?? {});
  return (container.volumeMounts ?? []).flatMap(({ name, subPath = '', mountPath }) =>
    name !== volume?.name || subPath === '' || files.includes(subPath)
      ? []
      : [
          `${refOf(source)} gives no file ${subPath} (subPath) for ${mountPath}, so that an empty folder is mounted there: ` +
            `it gives ${files.length > 0 ? files.join(', ') : 'none'}`,
        ],
  );
}

/** The keys that a ConfigMap or Secret has, where one is asked for that it does not have. */
export function keysThere({ read }: World, message: string): string[] {
  const [, , kind, namespace = '', name = ''] = NO_KEY.exec(message) ?? [];
  if (kind === undefined) return [];
  const found = kind === 'Secret' ? read.get(Secrets, { namespace, name }) : read.get(ConfigMaps, { namespace, name });
  return found ? [keysText(found)] : [];
}

type KeyedObject = KubeObject & { readonly data?: Readonly<Record<string, string>> };

function keysText(object: KeyedObject): string {
  const keys = Object.keys(object.data ?? {});
  return `${refOf(object)} has ${keys.length > 0 ? `the keys ${keys.join(', ')}` : 'no keys'}`;
}
