import type { Container, CSIVolumeSource, Pod } from '../../api/core_v1.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { isPlugin, registeredDrivers } from '../dra/drivers.js';

/** Where node-driver-registrar is told that the kubelet finds a driver. */
const SOCKET = /\/var\/lib\/kubelet\/plugins\/([^/]+)\/[^/]+\.sock$/;

/**
 * Why a volume that a pod's own spec asks a driver for cannot be set up on a node; undefined: the driver has registered
 * there. Models pkg/volume/csi/csi_mounter.go SetUpAt. Left out: what the driver would say.
 */
export function findInlineProblem({ driver }: CSIVolumeSource, node: string, read: Reader): string | undefined {
  if (registeredDrivers(read, node).has(driver) || socketsOf(read, node).has(driver)) return undefined;
  return (
    'kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ' +
    `driver name ${driver} not found in the list of registered CSI drivers`
  );
}

const socketsOf = (read: Reader, node: string): ReadonlySet<string> =>
  new Set(
    read
      .byIndex(Pods, 'nodeName', node)
      .filter((pod: Pod) => isPlugin(pod) && isPodReady(pod))
      .flatMap(({ spec }) => spec.containers.flatMap(foldersOf)),
  );

const foldersOf = ({ command = [], args = [], env = [] }: Container): string[] =>
  [...command, ...args, ...env.map(({ value = '' }) => value)].flatMap((word) => SOCKET.exec(word)?.[1] ?? []);
