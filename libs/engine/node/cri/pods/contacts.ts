import type { Pod } from '../../../api/core_v1.js';
import { forgetTrack } from '../../../kernel/conntrack/table.js';
import type { SocketInfo } from '../../../kernel/process/syscalls.js';
import type { World } from '../../../kernel/world.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { ClusterNetwork } from '../../network/cluster-network.js';
import type { Process } from '../image.js';
import type { Mode } from '../looks/mode.js';
import { tracksAt, type Connected } from '../looks/tracks.js';
import type { Listener } from './ports/listeners.js';
import { askedTime, type LoadedMachine } from './loaded-machine.js';
import type { Contacts } from './machine-network.js';
import type { MachinesOptions } from './pod-view.js';

export interface ContactsParts {
  readonly network: ClusterNetwork;
  readonly mode: Mode;
  readonly world: Pick<World, 'find'>;
  readonly options: Pick<MachinesOptions, 'api' | 'runtime'>;
  /** By the pod's uid. */
  loadedOf(uid: string): LoadedMachine | undefined;
  listenerOf(pod: Pod, port: number, now: Millis): Listener;
  nameServerOf(pod: Pod, now: Millis): Process | undefined;
  connected(now: Millis): readonly Connected[];
  socketsOf(pod: Pod, now: Millis): readonly SocketInfo[];
}

/** What machines find at others' ports, and what that means for their courses. */
export function contactsOf(parts: ContactsParts): Contacts {
  const { mode, world, options } = parts;
  const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';
  const waitForInput = (from: Pod, now: Millis): undefined => {
    const loaded = mode.isForecasting ? undefined : parts.loadedOf(uidOf(from));
    if (loaded) loaded.isWaiting = true;
    return mode.wait(now);
  };
  // What a request does or finds is part of the log: only an input of the cluster may send it.
  const askAsInput = <T>(from: Pod, now: Millis, ask: () => T): T | undefined =>
    mode.isActing ? mode.inStep(ask) : waitForInput(from, now);
  return {
    network: parts.network,
    noteContact: (pod, now) => {
      const loaded = parts.loadedOf(uidOf(pod));
      // A copy that runs ahead cannot know which names and servers there will be.
      if (mode.isForecasting && now > (loaded ? askedTime(loaded) : 0)) mode.wait(now);
      else if (loaded && !mode.isForecasting) loaded.hasContacts = true;
    },
    listenerAt: (to, port, now) => {
      const found = mode.inStep(() => parts.listenerOf(to, port, now));
      // A copy that runs ahead cannot know what another machine will do.
      if (found === 'machine' && mode.isForecasting) mode.wait(now);
      return found;
    },
    nameServerOf: (to, now) => parts.nameServerOf(to, now),
    tracksOn: (node, now) => mode.inStep(() => tracksAt(node, parts.connected(now), now)),
    forgetTrack: ({ machine, track }, now) => {
      const there = mode.inStep(() => world.find(machine, now));
      if (there) forgetTrack(there, track.id);
    },
    socketsOf: (pod, now) => mode.inStep(() => parts.socketsOf(pod, now)),
    inStep: (ask) => mode.inStep(ask),
    askApiServer: (from, request, now, since) => askAsInput(from, now, () => options.api(from, request, now, since)),
    askRuntime: (from, request, now) => askAsInput(from, now, () => options.runtime(from, request, now)),
  };
}
