import type { Pod } from '../../../../api/core_v1.js';
import type { SocketInfo } from '../../../../kernel/process/syscalls.js';
import type { Millis } from '../../../../machinery/time/time.js';
import { pidOnNode } from '../../../host/views/process-view.js';
import { idOf } from '../../../host/views/runtime-view.js';
import { runsOf } from '../../records/course.js';
import type { LoadedMachine } from '../loaded-machine.js';
import type { MachinesOptions, PodView } from '../pod-view.js';
import { summaryOf } from '../start-spec.js';
import { isOver } from './listeners.js';

/** Who listens in a pod, as a program of its node sees it. `look`: its machine, where its image does not say it. */
export function listSockets(
  view: PodView,
  now: Millis,
  { state, images }: Pick<MachinesOptions, 'state' | 'images'>,
  look: () => LoadedMachine,
): SocketInfo[] {
  const { pod, statuses, records } = view;
  return runsOf(pod, statuses, records)
    .filter((run) => !isOver(run, now))
    .flatMap(({ container, containerID }) => {
      const summary = summaryOf(view, container.name, images, state)?.process;
      const found = summary ? portsOf(summary.listens) : listeningIn(look(), containerID);
      const pid = pidOnNode(idOf(containerID));
      return found.map(({ address, port, protocol }): SocketInfo => ({
        ...{ protocol, state: protocol === 'udp' ? 'UNCONN' : 'LISTEN', localAddress: address, localPort: port },
        ...{ remoteAddress: '0.0.0.0', remotePort: 0, pid, program: programOf(pod, container.name) },
      }));
    });
}

interface Open {
  readonly address: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

const ANY = '0.0.0.0';
const portsOf = (ports: readonly number[]): Open[] =>
  [...new Set(ports)].map((port) => ({ address: ANY, port, protocol: 'tcp' }));

const listeningIn = ({ machine, runs, failures }: LoadedMachine, containerID: string): Open[] =>
  !runs.has(containerID) || failures.has(containerID)
    ? []
    : machine
        .container(containerID)
        .listening.map(({ port, protocol, isLocal }) => ({ address: isLocal ? '127.0.0.1' : ANY, port, protocol }));

/** The name of a container's program, as far as its pod says it: else its image's. */
function programOf({ spec }: Pod, name: string): string {
  const container = [...spec.containers, ...(spec.initContainers ?? [])].find((one) => one.name === name);
  const path = container?.command?.[0] ?? (container?.image ?? name).split(/[:@]/, 1)[0]!;
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 15);
}
