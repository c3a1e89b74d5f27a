import type { Tracing } from '@terrarium/platform';
import type { FinishedRequest, GateObserver, StartedRequest } from '../gate/observer.js';

const FIRST_SERVER_ERROR = 500;

type RequestSpan = ReturnType<Tracing['enter']>;

/** A span for each request, child of the client's: what the request causes in this process runs within it. */
export class RequestTraces implements GateObserver {
  private readonly spans = new WeakMap<StartedRequest, RequestSpan>();

  constructor(private readonly tracing: Pick<Tracing, 'enter' | 'fail'>) {}

  started(request: StartedRequest): void {
    // Probes and scrapes would bury the other traces.
    if (request.edge === 'open') return;
    const { edge, verb, traceparent, requestId } = request;
    const attributes = { 'terrarium.edge': edge, 'terrarium.verb': verb, 'terrarium.request_id': requestId };
    this.spans.set(request, this.tracing.enter(`${edge} ${verb}`, traceparent, attributes));
  }

  finished({ code, waitMs, tenantId, clusterId, resource, error }: FinishedRequest, started: StartedRequest): void {
    const span = this.spans.get(started);
    if (!span) return;
    span.setAttributes({
      'http.response.status_code': code,
      'terrarium.wait_ms': Math.round(waitMs),
      'terrarium.tenant': tenantId,
      'terrarium.cluster': clusterId,
      'terrarium.resource': resource,
    });
    if (code >= FIRST_SERVER_ERROR) this.tracing.fail(span, error);
    span.end();
  }
}
