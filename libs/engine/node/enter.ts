import type { Pod } from '../api/core_v1.js';
import type { PodHttpRequest, ReachAnswer } from '../machinery/requests/http.js';
import type { Millis } from '../machinery/time/time.js';
import type { Machines } from './cri/machines.js';
import { findTaker } from './network/walk/deliver.js';
import { DIAL_ERRORS } from './network/walk/target.js';

/** The router of the nodes' network, behind which the world is. */
const OUTSIDE = '172.18.0.1';
const SOURCE_PORT = 40_000;

/** Sends a request from outside the cluster to an address, the way that its packets go. */
export function enterCluster(
  machines: Machines,
  reach: (pod: Pod, request: PodHttpRequest, now: Millis, from: string) => ReachAnswer,
  address: string,
  request: PodHttpRequest,
  now: Millis,
): ReachAnswer {
  const { network } = machines;
  const to = { address, port: request.port, protocol: 'tcp' } as const;
  const sourcePort = SOURCE_PORT + (Math.round(now) % 10_000);
  const way = network.send({ outside: OUTSIDE }, to, sourcePort, now);
  const taker = findTaker(
    way,
    {
      listenerOf: (pod, port, at) => machines.listenerOf(pod, port, at),
      podsOnHost: (node) => network.book.podsOnHost(node),
      hostServer: () => undefined,
    },
    now,
  );
  const answer = 'pod' in taker ? reach(taker.pod, { ...request, port: taker.port }, now, way.source) : undefined;
  const sent = { source: OUTSIDE, sourcePort, destination: address, destinationPort: request.port };
  const bytesReceived = answer && 'body' in answer ? (answer.body?.length ?? 0) : 0;
  network.outside.note(way, sent, now, { bytesSent: request.body?.length ?? 0, bytesReceived });
  if (answer) return answer;
  // The API server and other servers of a node speak TLS, or answer to the node only.
  const why = 'error' in taker ? taker.error : 'ECONNREFUSED';
  return { error: `dial tcp ${address}:${request.port}: ${DIAL_ERRORS[why]}` };
}
