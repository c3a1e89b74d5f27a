import type { Pod } from '../../api/core_v1.js';
import type { BodyResponse, PortForwardResponse } from '../../machinery/requests/http.js';
import { ApiError } from '../../machinery/meta/status.js';
import { textResponse } from '../response/writers.js';
import type { Call } from '../call.js';
import { connectedPod, findFailedDial, referenceOf, requireUpgrade } from './pod-connection.js';

const MAX_PORT = 65_535;
const MAX_PORTS = 100;

/**
 * pods/portforward. The ports are in the query only with the channels of a WebSocket; else each stream names its own.
 * Models pkg/registry/core/pod PortForwardLocation.
 */
export function portForward(call: Call): PortForwardResponse | BodyResponse {
  const pod = connectedPod(call);
  requireUpgrade(call);
  const failed = findFailedDial(call, pod, 'portForward');
  if (failed) throw new ApiError(500, '', `error dialing backend: ${failed.error}`);
  if (pod.status.phase !== 'Running')
    return textResponse(500, `failed to find sandboxID for pod ${podDescription(pod)}`);
  const ports: number[] = [];
  for (const text of call.query.all('ports')) {
    for (const part of text.split(',')) {
      const error = portError(part, text);
      if (error) return textResponse(400, error);
      ports.push(Number(part));
    }
  }
  return { type: 'portforward', status: 101, headers: {}, target: referenceOf(pod), ports: ports.slice(0, MAX_PORTS) };
}

/** Models pkg/kubelet/util/format PodDesc. */
const podDescription = ({ metadata: { name, namespace, uid } }: Pod): string => `${name}_${namespace}(${uid})`;

/** In the words of NewV4Options (kubelet/pkg/cri/streaming/portforward/websocket.go). */
function portError(part: string, text: string): string | undefined {
  if (text === '') return 'query parameter "port" cannot be empty';
  const isNumber = /^\d+$/.test(part);
  if (!isNumber || Number(part) > MAX_PORT) {
    const reason = isNumber ? 'value out of range' : 'invalid syntax';
    return `unable to parse ${JSON.stringify(text)} as a port: strconv.ParseUint: parsing ${JSON.stringify(part)}: ${reason}`;
  }
  return Number(part) < 1 ? `port ${JSON.stringify(text)} must be > 0` : undefined;
}
