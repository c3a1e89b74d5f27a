import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Api from '@opentelemetry/api';
import type * as Core from '@opentelemetry/core';
import type { SpanAttributes, Tracer } from '@terrarium/host';

export interface TracingOptions {
  /** Base URL of a collector that takes OTLP over HTTP. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Share of the traces without a parent that are recorded, from 0 to 1. */
  readonly ratio: number;
  /** Is told when the collector does not answer. */
  onError(error: unknown): void;
}

const TRACER_NAME = 'terrarium';
/** How long one export may take, retries included: less than a process has for its end. */
const EXPORT_MS = 3_000;

/**
 * OpenTelemetry traces, sent to a collector in batches beside the requests; spans that it cannot take in time are
 * dropped. OpenTelemetry's packages are loaded by `open` alone, so that a process without traces does not have them.
 */
export class Tracing implements Tracer {
  /** The traceparent of the span in which the code runs. */
  private readonly active = new AsyncLocalStorage<string>();

  private constructor(
    private readonly api: typeof Api,
    private readonly core: typeof Core,
    private readonly tracer: Api.Tracer,
    private readonly provider: { shutdown(): Promise<void>; forceFlush(): Promise<void> },
    private readonly onError: TracingOptions['onError'],
  ) {}

  static async open({ endpoint, serviceName, ratio, onError }: TracingOptions): Promise<Tracing> {
    const [api, core, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    core.setGlobalErrorHandler(onError);
    const base = endpoint.endsWith('/') ? endpoint.slice(0, -1) : endpoint;
    const exporter = new OTLPTraceExporter({ url: `${base}/v1/traces`, timeoutMillis: EXPORT_MS });
    const provider = new sdk.TracerProvider({
      resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
      sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
    });
    return new Tracing(api, core, provider.getTracer(TRACER_NAME), provider, onError);
  }

  current(): string | undefined {
    return this.active.getStore();
  }

  async run<T>(
    name: string,
    { parents = [this.current()], attributes }: Parameters<Tracer['run']>[1],
    work: () => Promise<T>,
  ): Promise<T> {
    const span = this.start(name, { parents, attributes });
    try {
      return await this.active.run(this.traceparentOf(span), work);
    } catch (error) {
      this.fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Begins the span of a request, in which the caller's asynchronous course runs from now on. */
  enter(name: string, parent: string | undefined, attributes: SpanAttributes): Api.Span {
    const { SERVER } = this.api.SpanKind;
    const span = this.start(name, { parents: [parent], attributes, kind: SERVER });
    this.active.enterWith(this.traceparentOf(span));
    return span;
  }

  /** Marks a span as failed. */
  fail(span: Api.Span, error: unknown): void {
    const message = error instanceof Error ? error.name : 'error';
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, message });
  }

  /** Sends what is not sent yet. */
  flush(): Promise<void> {
    return this.provider.forceFlush().catch(this.onError);
  }

  close(): Promise<void> {
    return this.provider.shutdown().catch(this.onError);
  }

  private start(
    name: string,
    {
      parents,
      attributes,
      kind,
    }: { parents: readonly (string | undefined)[]; attributes?: SpanAttributes; kind?: number },
  ): Api.Span {
    const [parent, ...links] = [...new Set(parents)].flatMap((text) => this.parse(text));
    const options = { attributes: attributes as Api.Attributes, kind, links: links.map((context) => ({ context })) };
    return this.tracer.startSpan(name, options, this.contextOf(parent));
  }

  private contextOf(parent: Api.SpanContext | undefined): Api.Context {
    const { ROOT_CONTEXT, trace } = this.api;
    return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  }

  /** None for a text that is no traceparent: the trace then begins here. */
  private parse(traceparent: string | undefined): Api.SpanContext[] {
    const context = traceparent === undefined ? null : this.core.parseTraceParent(traceparent);
    return context ? [{ ...context, isRemote: true }] : [];
  }

  private traceparentOf(span: Api.Span): string {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }
}
