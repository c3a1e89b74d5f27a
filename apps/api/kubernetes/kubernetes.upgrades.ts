import type { IncomingMessage } from 'node:http';
import type { ApiResponse, BodyResponse, ProxiedResponse } from '@terrarium/engine';
import {
  acceptFrames,
  acceptLog,
  acceptPortForward,
  acceptSession,
  respondWith,
  type Handshake,
} from '@terrarium/host';
import type { Upgrade, UpgradeRoute } from '../edge/upgrades.js';
import type { RequestContext } from '../gate/request-context.js';
import type { ClusterApi } from './cluster-api.js';
import { openStream } from './cluster-request.js';
import { clusterUrlOf, type ClusterUrl } from './cluster-url.js';
import { pipeFrames } from './pipe-frames.js';
import { serveUpgrade } from './serve-upgrade.js';

const CONNECTIONS: ReadonlySet<string> = new Set(['pods/exec', 'pods/attach', 'pods/portforward']);

interface Accepted {
  readonly url: ClusterUrl;
  readonly handshake: Handshake;
  readonly response: ApiResponse;
  end(): void;
}

/**
 * Upgrades of the clusters' Kubernetes APIs: watches and pods' logs over WebSockets, commands and forwarded ports over
 * WebSockets and SPDY. A request whose answer needs no upgrade is answered as any other.
 */
export class KubernetesUpgrades implements UpgradeRoute {
  constructor(private readonly api: ClusterApi) {}

  matches(raw: IncomingMessage): boolean {
    return clusterUrlOf(raw, this.api.roots) !== undefined;
  }

  async serve(upgrade: Upgrade): Promise<void> {
    const url = clusterUrlOf(upgrade.raw, this.api.roots)!;
    await serveUpgrade(this.api, upgrade, {
      url,
      edgeOf: (resource) => (CONNECTIONS.has(resource) ? 'exec' : 'websocket'),
      isRefusal: (context, response): response is BodyResponse =>
        response.type === 'body' && !isPodLog(context, response),
      accept: (context, handshake, response, end) => this.accept(context, { url, handshake, response, end }),
    });
  }

  /** False when it is no handshake, which was answered. Rejects with ApiError 400, 403 and 429. */
  private async accept(context: RequestContext, { url, handshake, response, end }: Accepted): Promise<boolean> {
    const { gate, host } = this.api;
    const { socket } = handshake;
    if (response.type === 'body') return acceptLog(handshake, (log) => log.end(response.body));
    if (response.type === 'portforward') {
      gate.startStream(context, end);
      return acceptPortForward(handshake, response.ports, host.ports(url.id, response));
    }
    if (response.type === 'session') {
      const command = host.session(url.id, response);
      // Also when the upgrade fails: the session is open already.
      socket.once('close', () => command.session?.close());
      gate.startStream(context, end);
      return acceptSession(handshake, command);
    }
    if (response.type === 'proxied') return this.join(context, { url, handshake, response, end });
    const stream = await openStream(this.api, context, url, response, end);
    socket.once('close', () => stream.end());
    const acceptStream = response.type === 'stream' ? acceptLog : acceptFrames;
    return acceptStream(handshake, (target) => void pipeFrames(stream, target));
  }

  /** False when the process has answered without an upgrade. Rejects with ApiError when it has not answered. */
  private async join(
    context: RequestContext,
    { url, handshake: { socket, head, raw }, response, end }: Accepted & { readonly response: ProxiedResponse },
  ): Promise<boolean> {
    const { gate, host } = this.api;
    const { answer, close } = host.proxied(url.id, response, raw.method ?? 'GET');
    socket.once('close', close);
    // Of a connection that is refused first.
    answer.catch(() => undefined);
    gate.startStream(context, end);
    const found = await answer;
    if (found.type !== 'upgraded') {
      await respondWith(socket, found);
      return false;
    }
    socket.unshift(head);
    socket.on('error', () => socket.destroy());
    found.join(socket);
    return true;
  }
}

const isPodLog = ({ resource, verb }: RequestContext, { status }: BodyResponse): boolean =>
  resource === 'pods/log' && verb === 'get' && status === 200;
