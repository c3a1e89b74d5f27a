import type { Pod } from '../../../api/core_v1.js';
import type { TrackEntry } from '../../../kernel/conntrack/print.js';
import type { Network } from '../../../kernel/network.js';
import type { SocketInfo } from '../../../kernel/process/syscalls.js';
import type { LaterAnswer, PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/pod-http.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { ClusterNetwork } from '../../network/cluster-network.js';
import { podNetwork } from '../../network/pod-network.js';
import type { Process } from '../image.js';
import { HttpRemote } from '../servers/http-remote.js';
import type { Listener } from './ports/listeners.js';
import type { MachinesOptions } from './pod-view.js';

const API_SERVER_PORT = 6_443;

/** What a machine's contacts with others mean for those who run it. */
export interface Contacts {
  readonly network: ClusterNetwork;
  /** A program asks for a name or connects to an address. */
  noteContact(pod: Pod, now: Millis): void;
  listenerAt(pod: Pod, port: number, now: Millis): Listener;
  nameServerOf(pod: Pod, now: Millis): Process | undefined;
  tracksOn(node: string, now: Millis): readonly TrackEntry[];
  forgetTrack(entry: TrackEntry, now: Millis): void;
  socketsOf(pod: Pod, now: Millis): readonly SocketInfo[];
  /** Runs a question to a server within a step of a process. */
  inStep<T>(ask: () => T): T;
  /** The API server's answer to a request of `since`; undefined: only an input of the cluster may ask for it. */
  askApiServer(from: Pod, request: PodHttpRequest, now: Millis, since: Millis): PodHttpAnswer | LaterAnswer | undefined;
  /** The same of the node's container runtime. */
  askRuntime(from: Pod, request: PodHttpRequest, now: Millis): PodHttpAnswer | undefined;
}

/** The cluster's network as a pod's machine has it. */
export const machineNetwork = (
  pod: Pod,
  contacts: Contacts,
  { state, dial, apiHello }: Pick<MachinesOptions, 'state' | 'dial' | 'apiHello'>,
): Network =>
  podNetwork(pod, {
    read: state,
    network: contacts.network,
    onContact: (now) => contacts.noteContact(pod, now),
    listenerOf: (to, port, now) => contacts.listenerAt(to, port, now),
    nameServerOf: (to, now) => contacts.nameServerOf(to, now),
    tracksOn: (node, now) => contacts.tracksOn(node, now),
    forgetTrack: (entry, now) => contacts.forgetTrack(entry, now),
    socketsOf: (of, now) => contacts.socketsOf(of, now),
    summaryServer: (to, port, source) =>
      new HttpRemote({
        port,
        logOf: ({ logged }) =>
          logged === undefined
            ? undefined
            : { server: to.metadata.uid ?? '', text: logged.replace('{remote}', source) },
        serve: (request, now) => {
          const answer = contacts.inStep(() => dial(to, request, now));
          return 'error' in answer ? { status: 502 } : answer;
        },
      }),
    apiServer: (from) =>
      new HttpRemote({
        port: API_SERVER_PORT,
        tls: apiHello(),
        serve: (request, now, since) => contacts.askApiServer(from, request, now, since),
      }),
    runtime: (from) => new HttpRemote({ port: 0, serve: (request, now) => contacts.askRuntime(from, request, now) }),
  });
