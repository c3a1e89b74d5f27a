import type { Pod } from '../api/core_v1.js';
import type { PodHttpAnswer, PodHttpRequest } from '../machinery/http.js';
import type { Millis } from '../machinery/time/time.js';
import type { Machines } from './cri/machines.js';
import { findTaker } from './network/deliver.js';

/** The router of the nodes' network, behind which the world is. */
const OUTSIDE = '172.18.0.1';
const SOURCE_PORT = 40_000;

type Answer = PodHttpAnswer | { readonly error: string };

/** Sends a request from outside the cluster to an address, the way that its packets go. */
export function enterCluster(
  machines: Machines,
  reach: (pod: Pod, request: PodHttpRequest, now: Millis) => Answer,
  address: string,
  request: PodHttpRequest,
  now: Millis,
): Answer {
  const { network } = machines;
  const to = { address, port: request.port, protocol: 'tcp' } as const;
  const way = network.send({ outside: OUTSIDE }, to, SOURCE_PORT + (Math.round(now) % 10_000), now);
  const taker = findTaker(
    way,
    {
      listenerOf: (pod, port, at) => machines.listenerOf(pod, port, at),
      podsOnHost: (node) => network.book.podsOnHost(node),
      hostServer: () => undefined,
    },
    now,
  );
  if ('pod' in taker) return reach(taker.pod, { ...request, port: taker.port }, now);
  const why = 'error' in taker && taker.error === 'ETIMEDOUT' ? 'i/o timeout' : 'connect: connection refused';
  return { error: `dial tcp ${address}:${request.port}: ${why}` };
}
