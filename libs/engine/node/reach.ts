import type { Pod } from '../api/core_v1.js';
import type { Bytes } from '../kernel/bytes.js';
import { SystemError } from '../kernel/errno.js';
import { OUTSIDE_ADDRESS } from '../kernel/sessions/open.js';
import type { Client, Reader } from '../machinery/client.js';
import type { PodHttpRequest, ReachAnswer } from '../machinery/requests/http.js';
import type { Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from './cri/image.js';
import type { Machines } from './cri/machines.js';
import { formatRequest, isUpgrade, parseAnswer } from './cri/servers/ask-machine.js';
import { dialPod } from './dial.js';
import { hear } from './kubelet/pod/heard-lines.js';

export interface Reach {
  readonly images: ImageCatalog;
  readonly read: Reader;
  readonly machines: Machines;
  /** Writes down what the request does. */
  readonly client: Client;
}

/**
 * Sends an HTTP request to a pod as an input of the cluster: what it does to the server's machine, and to those that
 * this one asks, is written down. `from`: the address that the server sees. An answer that takes time, or more room
 * than a connection has, is pending.
 */
export function reachPod(pod: Pod, request: PodHttpRequest, now: Millis, reach: Reach, from?: string): ReachAnswer {
  const { images, read, machines, client } = reach;
  const { podIP } = pod.status;
  if (!podIP || machines.listenerOf(pod, request.port, now) !== 'machine')
    return keepLogged(client, pod, now, dialPod(pod, request, now, images, read, machines), from);
  return machines.acting(machines.viewOf(pod), now, (loaded) => {
    const { machine } = loaded;
    const bytes = formatRequest(request, podIP);
    try {
      const id = machine.connect(request.port, now, podIP, from);
      const unsent = bytes.slice(machine.input(id, bytes, now));
      machines.run(loaded, now);
      const { stdout, ended } = machine.output(id);
      if (ended) machine.hangUp(id, now);
      machines.store(client, pod, loaded);
      return ended && !isUpgrade(request) ? answerOf(stdout) : pending(pod, id, unsent);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return { error: `dial tcp ${podIP}:${request.port}: connect: connection refused` };
    }
  });
}

/** What a server that is known by its summary has logged of a request is written down beside it. */
export function keepLogged(
  client: Client,
  pod: Pod,
  now: Millis,
  answer: ReturnType<typeof dialPod>,
  from = OUTSIDE_ADDRESS,
): ReturnType<typeof dialPod> {
  if (!('logged' in answer) || answer.logged === undefined) return answer;
  const { logged, ...rest } = answer;
  hear(client, pod, [{ at: now, text: logged.replace('{remote}', from) }]);
  return rest;
}

const answerOf = (bytes: Bytes): ReachAnswer =>
  parseAnswer(bytes, 0) ?? { error: bytes === '' ? 'EOF' : 'malformed HTTP response' };

const pending = ({ metadata }: Pod, id: string, unsent: Bytes): ReachAnswer => ({
  session: { namespace: metadata.namespace ?? '', pod: metadata.name ?? '', uid: metadata.uid ?? '', id },
  unsent,
});
