import type { Pod } from '../../api/core_v1.js';
import type { Server } from '../../apiserver/index.js';
import type { Store } from '../../apiserver/registry/store.js';
import { RequestCounts } from '../../apiserver/response/request-counts.js';
import type { Checks } from '../../checks/index.js';
import type { Dial, PodHttpRequest, ReachAnswer } from '../../machinery/requests/http.js';
import type { GitVersion } from '../../machinery/releases.js';
import type { Millis } from '../../machinery/time/time.js';
import type { ImageCatalog } from '../../node/cri/image.js';
import { appendToLog } from '../../node/host/api-server/audit-log.js';
import {
  dialAsApiServer,
  enterCluster,
  podLogs,
  PodSessions,
  reachPod,
  serveKubelet,
  type Machines,
  type MeasuredUsage,
} from '../../node/index.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';
import { servedRelease } from '../served-release.js';
import type { ComponentClients } from '../users/component-clients.js';

interface ServerParts {
  readonly state: State;
  readonly registry: Registry;
  readonly writer: Store;
  /** The release that is shown until an upgrade of the cluster. */
  readonly version: GitVersion | undefined;
  readonly images: ImageCatalog;
  readonly machines: Machines;
  /** The API server's way to the ports of pods. */
  readonly dial: Dial;
  readonly clients: ComponentClients;
  readonly checks: Checks;
  readonly usage: MeasuredUsage;
}

/** The API server, with its ways to kubelets and into pods. */
export function newServer(parts: ServerParts): Server {
  const { state, registry, writer, version, images, machines, dial, clients, checks, usage } = parts;
  const clientOf = (pod: Pod) => clients.ofNodeOf(pod);
  const reach = (pod: Pod, request: PodHttpRequest, now: Millis, from?: string): ReachAnswer =>
    reachPod(pod, request, now, { images, read: state, machines, client: clientOf(pod) }, from);
  return {
    state,
    registry,
    writer,
    requests: new RequestCounts(),
    version: () => servedRelease(state) ?? version,
    logs: (pod, options, now) => podLogs(pod, options, now, images, state, machines),
    dial,
    reach: dialAsApiServer((pod, request, now) => reach(pod, request, now), machines.network, state),
    enter: (address, request, at) => enterCluster(machines, reach, address, request, at),
    usage,
    kubelet: (node, request, now) => serveKubelet(node, request, now, images, state, machines),
    audit: (log, lines, now) =>
      machines.writeShared(`node/${log.node}`, () => appendToLog(clients.ofNode(log.node), log, lines, now)),
    asks: {
      isWanted: () => checks.wantsRequests,
      note: (request) => checks.note(request),
    },
    sessions: new PodSessions({ machines, read: state, client: clientOf }),
  };
}
