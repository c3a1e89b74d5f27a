import { parseAllDocuments } from 'yaml';
import type { Container, Pod, Volume } from '../../api/core_v1.js';
import { ConfigMaps } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { DEFAULT_SCHEDULER } from '../queue/pending.js';

/** Schedulers that are asked for their profiles, and what is read of one configuration. */
const MAX_SCHEDULERS = 20;
const MAX_CONFIGURATION = 65_536;
const MAX_DOCUMENTS = 5;
const MAX_PROFILES = 50;
const IMAGE = /(?:^|\/)(?:[\w.-]+-)?kube-scheduler(?:[:@]|$)/;

/** A file of a node's disk; undefined: there is none. */
export type ReadNodeFile = (read: Reader, node: string, path: string) => string | undefined;

const programOf = ({ spec }: Pod): Container | undefined =>
  spec.containers.find(({ image }) => image !== undefined && IMAGE.test(image));

export const isSchedulerPod = (pod: Pod): boolean => programOf(pod) !== undefined;

/** Whether its program runs, and answers its readiness probe. */
export function isSchedulerUp(pod: Pod): boolean {
  const program = programOf(pod);
  const status = pod.status.containerStatuses?.find(({ name }) => name === program?.name);
  return !pod.metadata.deletionTimestamp && status?.state?.running !== undefined && status.ready === true;
}

/** The pod of these whose scheduler has a profile of this name; undefined: none that runs has. */
export function findScheduler(
  pods: readonly Pod[],
  read: Reader,
  name: string,
  readNodeFile: ReadNodeFile,
): Pod | undefined {
  return pods
    .filter(isSchedulerPod)
    .slice(0, MAX_SCHEDULERS)
    .find((pod) => isSchedulerUp(pod) && profilesOf(pod, read, readNodeFile).includes(name));
}

/** The names of the profiles of a scheduler's configuration. Models pkg/scheduler/apis/config/v1 defaults. */
function profilesOf(pod: Pod, read: Reader, readNodeFile: ReadNodeFile): readonly string[] {
  const program = programOf(pod);
  const path = program && configPath(program);
  if (!path) return [DEFAULT_SCHEDULER];
  const text = readFile(path, program, pod, read, readNodeFile);
  return text === undefined ? [] : parseProfiles(text);
}

function configPath({ command = [], args = [] }: Container): string | undefined {
  const words = [...command, ...args];
  const at = words.findLastIndex((word) => /^--?config(?:=|$)/.test(word));
  const word = words[at];
  return word?.includes('=') ? word.slice(word.indexOf('=') + 1) : words[at + 1 || words.length];
}

function readFile(
  path: string,
  { volumeMounts = [] }: Container,
  pod: Pod,
  read: Reader,
  readNodeFile: ReadNodeFile,
): string | undefined {
  const covers = (mountPath: string): boolean =>
    path === mountPath || path.startsWith(mountPath.endsWith('/') ? mountPath : `${mountPath}/`);
  const mount = volumeMounts
    .filter(({ mountPath }) => covers(mountPath))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  const volume = mount && pod.spec.volumes?.find(({ name }) => name === mount.name);
  if (!mount || !volume) return undefined;
  const rest = path.slice(mount.mountPath.length).replace(/^\//, '');
  const file = [mount.subPath ?? '', rest].filter(Boolean).join('/');
  if (volume.hostPath)
    return readNodeFile(read, pod.spec.nodeName ?? '', [volume.hostPath.path, file].filter(Boolean).join('/'));
  return readConfigMap(volume, file, pod, read);
}

function readConfigMap({ configMap }: Volume, file: string, pod: Pod, read: Reader): string | undefined {
  if (!configMap?.name) return undefined;
  const key = configMap.items ? configMap.items.find(({ path }) => path === file)?.key : file;
  const found = read.get(ConfigMaps, { namespace: pod.metadata.namespace ?? '', name: configMap.name });
  return key === undefined ? undefined : found?.data?.[key];
}

/** None of a configuration that its program does not read; one without profiles has the default one. */
export function parseProfiles(text: string): readonly string[] {
  if (text.length > MAX_CONFIGURATION) return [];
  for (const document of parseAllDocuments(text).slice(0, MAX_DOCUMENTS)) {
    if (document.errors.length > 0) return [];
    const fields = document.toJS({ maxAliasCount: 100 }) as { kind?: unknown; profiles?: unknown } | null;
    if (fields?.kind !== 'KubeSchedulerConfiguration') continue;
    if (!Array.isArray(fields.profiles) || fields.profiles.length === 0) return [DEFAULT_SCHEDULER];
    return fields.profiles.slice(0, MAX_PROFILES).map(nameOf);
  }
  return [];
}

function nameOf(profile: unknown): string {
  const name = (profile as { schedulerName?: unknown } | null)?.schedulerName;
  return typeof name === 'string' && name !== '' ? name : DEFAULT_SCHEDULER;
}
