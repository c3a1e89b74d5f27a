import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.js';

const TEXT = 'text/plain; charset=utf-8';
const REQUEST_TIMEOUT_MS = 10_000;

export interface ObservabilityServerOptions {
  readonly port: number;
  readonly host: string;
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
  readonly readiness: Pick<Readiness, 'problem'>;
  onError(error: unknown): void;
}

/** Health, readiness and metrics on a port of their own, for a network that clients do not reach. */
export class ObservabilityServer {
  private constructor(private readonly server: Server) {}

  /** Rejects when the port is taken. */
  static async listen({ port, host, onError, ...parts }: ObservabilityServerOptions): Promise<ObservabilityServer> {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, ({ method, url = '' }, response) => {
      response.on('error', onError);
      const isRead = method === 'GET' || method === 'HEAD';
      const path = url.split('?', 1)[0]!;
      (isRead ? answer(parts, path, response) : Promise.resolve(end(response, 405, 'method not allowed'))).catch(
        (error: unknown) => {
          onError(error);
          end(response, 500, 'something went wrong here; it has been logged');
        },
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        server.on('error', onError);
        resolve();
      });
    });
    return new ObservabilityServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

async function answer(
  { registry, readiness }: Pick<ObservabilityServerOptions, 'registry' | 'readiness'>,
  path: string,
  response: ServerResponse,
): Promise<void> {
  switch (path) {
    case '/healthz':
      return end(response, 200, 'ok');
    case '/readyz': {
      const problem = await readiness.problem();
      return problem === undefined ? end(response, 200, 'ok') : end(response, 503, problem);
    }
    case '/metrics':
      return end(response, 200, await registry.metrics(), registry.contentType);
    default:
      return end(response, 404, 'not found');
  }
}

function end(response: ServerResponse, status: number, body: string, type = TEXT): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
