import type { Pod } from '../../api/core_v1.js';
import { handle, type Server } from '../../apiserver/index.js';
import type { Client } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { ComponentNeeded, type Dial, type PodHttpAnswer, type PodHttpRequest } from '../../machinery/requests/http.js';
import type { LaterAnswer } from '../../machinery/requests/pod-http.js';
import type { Millis } from '../../machinery/time/time.js';
import type { ImageCatalog } from '../../node/cri/image.js';
import { apiServerChain, apiServerNames } from '../../node/host/pki/api-server-names.js';
import { Machines, serveKubelet, serveRuntime } from '../../node/index.js';
import type { State } from '../../runtime/state/state.js';
import type { OutsideCalls } from '../outside-calls.js';
import { recordTyped } from '../typed-lines.js';
import { InnerSessions, SESSIONS_PATH } from '../users/inner-sessions.js';
import { serveKubeletPort } from '../users/kubelet-port.js';
import { openPort } from '../users/open-port.js';
import { nodeIssuer } from '../users/node-issuer.js';
import { toApiRequest, toPodAnswer } from '../users/pod-requests.js';
import { podToken } from '../users/pod-tokens.js';

/** As often the API server looks for what a request waits for: about as upstream for a namespace's default account. */
const ASK_AGAIN_MS = 150;

/** What the programs of machines reach outside of them. Functions: most of it is made after the machines. */
interface Surroundings {
  readonly state: State;
  readonly images: ImageCatalog;
  readonly keys: ClusterKeys | undefined;
  readonly seed: string;
  /** The cluster's secret. */
  readonly tokenKey: string | undefined;
  readonly dialPod: Dial;
  readonly outsideCalls: Pick<OutsideCalls, 'run'>;
  server(): Server;
  nodeClient(pod: Pod): Client;
}

/** The machines of the cluster's pods: a cache that follows the state. */
export function newMachines(surroundings: Surroundings): Machines {
  const { state, images, seed, keys, tokenKey, dialPod } = surroundings;
  const issuer = tokenKey === undefined ? undefined : nodeIssuer(tokenKey);
  // What containers use is not measured here: who asks is one of them, in the middle of a step.
  const kubelet: Parameters<typeof serveKubeletPort>[0]['serve'] = (node, request, now) =>
    serveKubelet(node, request, now, images, state);
  const machines: Machines = new Machines({
    state,
    images,
    seed,
    dial: dialPod,
    api: (_pod, request, now, since) => askApiServer(surroundings, request, now, since),
    runtime: (pod, request, now) => askRuntime(surroundings, machines, pod, request, now),
    apiHello: () => ({
      subject: 'CN = kube-apiserver',
      issuer: 'CN = kubernetes',
      names: apiServerNames(state),
      chain: keys && issuer ? apiServerChain(state, issuer, keys.authority.pem) : [],
    }),
    issuer,
    kubeletPort: (node, request, now) =>
      serveKubeletPort({ read: state, authority: keys?.authority, serve: kubelet }, node, request, now),
    token: (pod, audience, seconds, now) => podToken(state, keys, pod, audience, seconds, now),
  });
  return machines;
}

/** What a program of the cluster asks its API server, which has had the request since `since`. */
function askApiServer(
  { server: findServer, tokenKey, seed, outsideCalls }: Surroundings,
  request: PodHttpRequest,
  now: Millis,
  since: Millis,
): PodHttpAnswer | LaterAnswer {
  const server = findServer();
  const inner = new InnerSessions({
    sessions: server.sessions,
    secret: tokenKey ?? seed,
    recordTyped: (by, lines) => recordTyped(server, by, lines),
    openPort: (target, port) => openPort(server, target, port),
  });
  if (request.path === SESSIONS_PATH && request.method === 'POST') return inner.exchange(request, now);
  const response = waitingUntil(now, since, () =>
    outsideCalls.run({ stream: 0, answers: undefined, waitedMs: now - since }, () =>
      handle(server, toApiRequest(request), now),
    ),
  );
  if ('askAgainAt' in response) return response;
  const isUpgraded = response.type === 'session' || response.type === 'portforward';
  return isUpgraded ? inner.answerUpgrade(response) : toPodAnswer(response);
}

/** A request that waits for a component of the cluster has done nothing yet. */
function waitingUntil<T>(now: Millis, since: Millis, ask: () => T): T | LaterAnswer {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComponentNeeded)) throw error;
    return { askAgainAt: Math.min(now + ASK_AGAIN_MS, since + error.ms) };
  }
}

/** What a program of a node's asks its container runtime. */
function askRuntime(
  { state, images, server, nodeClient }: Surroundings,
  machines: Machines,
  from: Pod,
  request: PodHttpRequest,
  now: Millis,
): PodHttpAnswer {
  const { sessions } = server();
  if (!sessions) return { status: 503 };
  return serveRuntime({ read: state, client: nodeClient(from), images, machines, sessions, now, from }, request);
}
