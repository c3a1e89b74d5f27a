import type { Start } from '@terrarium/engine';
import { isInside, parseNetConf } from '../../../engine/node/cni/flannel/net-conf.js';

const FILE = '/etc/kube-flannel/net-conf.json';
/** Those that a cluster's nodes can run. */
const BACKENDS: readonly string[] = ['vxlan', 'host-gw'];
/** Those that flanneld has, and which are not simulated. */
const OTHERS: readonly string[] = ['alloc', 'extension', 'ipip', 'ipsec', 'tencent-vpc', 'udp', 'wireguard'];

/** What flanneld has read when it began; undefined: there was no such file. */
export const readFile = (start: Start): string | undefined => start.files()[FILE];

/** Why flanneld ends, in the words of its last line; undefined: it runs. Models flannel's main.go. */
export function findFault(start: Start): string | undefined {
  const { podCIDR = '', node } = start.pod;
  const text = start.kept ?? readFile(start);
  const failed = 'Failed to create SubnetManager: ';
  if (!start.env['NODE_NAME'] && !(start.env['POD_NAME'] && start.env['POD_NAMESPACE']))
    return `${failed}env variables POD_NAME and POD_NAMESPACE must be set`;
  if (!text) return `${failed}failed to read net conf: open ${FILE}: no such file or directory`;
  const conf = parseNetConf(text);
  if ('error' in conf) return failed + conf.error;
  if (OTHERS.includes(conf.backend)) return `Error fetching backend: ${conf.backend} is not simulated here`;
  if (!BACKENDS.includes(conf.backend)) return `Error fetching backend: unknown backend type: ${conf.backend}`;
  const registering = 'Error registering network: failed to acquire lease: ';
  if (podCIDR === '') return `${registering}node "${node}" pod cidr not assigned`;
  if (!isInside(podCIDR, conf.network))
    return (
      `${registering}subnet "${conf.network}" specified in the flannel net config doesn't contain ` +
      `"${podCIDR}" PodCIDR of the "${node}" node`
    );
  return undefined;
}
