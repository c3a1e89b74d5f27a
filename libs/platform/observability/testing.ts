import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry on loopback, which takes OTLP as JSON over HTTP. */
export class FakeCollector {
  readonly spans: ReceivedSpan[] = [];
  /** Names of the services that have sent spans. */
  readonly services = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<FakeCollector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        if (request.url === '/v1/traces') collector.receive(JSON.parse(text.toString()) as ExportRequest);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const collector = new FakeCollector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private receive({ resourceSpans }: ExportRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { key, value } of resource.attributes)
        if (key === 'service.name') this.services.add(value.stringValue!);
      for (const { spans } of scopeSpans) this.spans.push(...spans);
    }
  }
}
