import type { Passing } from '../../../kernel/conntrack/track.js';
import { endpointsOf } from '../../proxy/endpoints.js';
import type { ServiceTable } from '../../proxy/service-table.js';

/** Whether datagrams go to an endpoint that a proxy knows as gone, or as one that serves no more. */
export function isStale(services: ServiceTable | undefined, { from, to }: Passing): boolean {
  if (!services || from.destination === to.destination) return false;
  const { destination, destinationPort } = from;
  const keys = services.keysAt(destination, destinationPort);
  const ports = keys.flatMap((key) =>
    services
      .ports(key)
      .filter(({ protocol, port, nodePort }) => protocol === 'udp' && [port, nodePort].includes(destinationPort))
      .map((port) => endpointsOf(services.slicesOf(key), port.portName, 'udp')),
  );
  const text = `${to.destination}:${to.destinationPort}`;
  return ports.length > 0 && !ports.some((list) => list.some((one) => one.text === text && one.isServing));
}
