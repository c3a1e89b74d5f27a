import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '@terrarium/engine';
import { respondOnSocket, statusResponse } from '@terrarium/host';
import { mayUpgradeFrom, type AllowedOrigins } from './cors.js';

/** Until an upgrade must have been accepted or refused. */
const DEADLINE_MS = 30_000;

/** A request for an upgrade, on a socket that Node.js has let go of. */
export interface Upgrade {
  readonly raw: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The socket is a WebSocket now, which has deadlines of its own. */
  accept(): void;
}

export interface UpgradeRoute {
  /** May throw an ApiError, which is the answer. */
  matches(raw: IncomingMessage): boolean;
  /** Accepts or refuses; a rejection closes the socket. */
  serve(upgrade: Upgrade): Promise<void>;
}

export interface UpgradeOptions {
  readonly routes: readonly UpgradeRoute[];
  readonly allowedOrigins: AllowedOrigins;
  /** Looks at a request before it is routed. */
  onArrival?(raw: IncomingMessage): void;
  onError(error: unknown): void;
  readonly deadlineMs?: number;
}

/**
 * Serves upgrades by the first route that matches, and answers 404 to the others. Node.js removes its own listeners
 * from an upgraded socket, so that an error of it, or a client that falls silent, concerns nobody until this adds them.
 */
export function routeUpgrades(
  server: Server,
  { routes, allowedOrigins, onArrival, onError, deadlineMs = DEADLINE_MS }: UpgradeOptions,
): void {
  server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const deadline = setTimeout(() => socket.destroy(), deadlineMs);
    const accept = (): void => clearTimeout(deadline);
    socket.once('close', accept);
    const fail = (error: unknown): void => {
      if (error instanceof ApiError) return respondOnSocket(socket, statusResponse(error));
      onError(error);
      socket.destroy();
    };
    try {
      onArrival?.(raw);
      if (!mayUpgradeFrom(raw, allowedOrigins)) throw originNotAllowed(raw.headers.origin!);
      const route = routes.find((r) => r.matches(raw));
      if (!route) throw pathNotFound();
      route.serve({ raw, socket, head, accept }).catch(fail);
    } catch (error) {
      fail(error);
    }
  });
}

/** Upstream's words for a path that nothing serves. */
const pathNotFound = (): ApiError => new ApiError(404, 'NotFound', 'the server could not find the requested resource');

const originNotAllowed = (origin: string): ApiError =>
  new ApiError(403, 'Forbidden', `pages of ${origin} may not open WebSockets here`);
