import type { Container, Pod } from '../../api/core_v1.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { parseReference } from '../cri/images/reference.js';

/** Where a kubelet finds the sockets of its plug-ins. */
const PLUGINS = '/var/lib/kubelet/plugins';
/** Drivers by what the repository of their image ends with, where no flag or variable names another. */
const IMAGES: Readonly<Record<string, string>> = {
  'dra-example-driver': 'gpu.example.com',
  'dra-driver-nvidia-gpu': 'gpu.nvidia.com',
  'k8s-dra-driver-gpu': 'gpu.nvidia.com',
  'intel-gpu-resource-driver': 'gpu.intel.com',
};
/** A driver's name has at most 63 characters. */
const NAME = /^[a-z0-9][a-z0-9-]*\.[a-z0-9.-]*[a-z0-9]$/;
const MAX_NAME = 63;

/**
 * The drivers of devices that have registered with a node's kubelet: pods of the node that are ready and mount its
 * folder of plug-ins, by what their flags and variables name, or by their image. Models pkg/kubelet/pluginmanager.
 */
export function registeredDrivers(read: Reader, node: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pod of read.byIndex(Pods, 'nodeName', node))
    if (isPlugin(pod) && isPodReady(pod)) for (const name of pod.spec.containers.flatMap(driversOf)) names.add(name);
  return names;
}

/** Its kubelet may find a socket of it. */
export const isPlugin = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ hostPath }) => hostPath?.path.startsWith(PLUGINS)) ?? false;

const isName = (text: string): boolean => text.length <= MAX_NAME && NAME.test(text);

function driversOf({ image = '', command = [], args = [], env = [] }: Container): string[] {
  const words = [...command, ...args, ...env.flatMap(({ value }) => (value === undefined ? [] : [value]))];
  const named = words.map((word) => word.slice(word.lastIndexOf('=') + 1)).filter(isName);
  const repository = parseReference(image)?.repository ?? '';
  const own = Object.entries(IMAGES).find(([end]) => repository.endsWith(end))?.[1];
  return named.length > 0 || own === undefined ? named : [own];
}
