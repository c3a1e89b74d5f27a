import { listHosts } from '../kinds/terrarium/noderuntime/hosts.js';
import type { Reader } from '../machinery/client.js';
import type { Pod } from '../api/core_v1.js';
import type { PodHttpRequest } from '../machinery/requests/http.js';
import type { Millis } from '../machinery/time/time.js';
import { isControlPlane } from './host/files/config-files.js';
import type { ClusterNetwork } from './network/cluster-network.js';
import { DIAL_ERRORS } from './network/walk/target.js';

/** The port that the API server's sockets have: nothing tells its connections apart. */
const SOURCE_PORT = 33_000;

/** Dials as the API server does: from its node, by the way that the network takes the packet, if it does. */
export const dialAsApiServer =
  <T>(
    dial: (pod: Pod, request: PodHttpRequest, now: Millis) => T,
    network: ClusterNetwork,
    read: Reader,
  ): ((pod: Pod, request: PodHttpRequest, now: Millis) => T | { readonly error: string }) =>
  (pod, request, now) => {
    const node = listHosts(read).find(isControlPlane);
    const { podIP } = pod.status;
    if (!node || !podIP || pod.spec.hostNetwork) return dial(pod, request, now);
    const to = { address: podIP, port: request.port, protocol: 'tcp' } as const;
    const { end } = network.send({ node }, to, SOURCE_PORT, now);
    if (!('error' in end)) return dial(pod, request, now);
    return { error: `dial tcp ${podIP}:${request.port}: ${DIAL_ERRORS[end.error]}` };
  };
