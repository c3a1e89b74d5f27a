import { BucketHistogram, type HistogramSeries } from '@terrarium/platform';
import { Gauge, type Registry } from 'prom-client';
import type { Edge, FinishedRequest, GateObserver, StartedRequest } from '../gate/observer.js';

const MS_PER_SECOND = 1e3;
const REQUEST_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const STREAM_SECONDS = [1, 10, 60, 300, 600, 1_800, 3_600];
const WAIT_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30];

/** Verbs that are told apart; a client may send any method. */
const VERBS: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy', 'connect'],
  ...['post', 'put', 'head', 'options', 'query', 'mutation', 'subscription'],
]);
/** Codes that are told apart; a pod behind a proxy may answer with any. */
const CODES: ReadonlySet<number> = new Set([
  ...[101, 200, 201, 202, 204, 301, 302, 304, 307],
  ...[400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 414, 415, 422, 429, 431, 499],
  ...[500, 501, 502, 503, 504],
]);
/** Edges where an accepted request is a stream, which lasts as long as its reader likes. */
const STREAM_EDGES: ReadonlySet<Edge> = new Set(['websocket', 'exec', 'subscription']);
const FIRST_ERROR = 400;
/** A pod behind a proxy may answer with many codes. */
const MAX_KNOWN = 1_000;

/** Publishes durations of requests and of streams, waits for turns, and what is open now. */
export class RequestMetrics implements GateObserver {
  private readonly requests: BucketHistogram<'edge' | 'verb' | 'code'>;
  private readonly streams: BucketHistogram<'edge' | 'verb' | 'code'>;
  private readonly waits: BucketHistogram<'edge'>;
  /** By edge, verb and code, or by edge. */
  private readonly known = new Map<string, HistogramSeries>();
  /** By the edge at the start. */
  private readonly open = new Map<Edge, number>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new BucketHistogram({
      name: 'terrarium_request_duration_seconds',
      help: 'Time from the first line of a request to the end of its answer, without streams.',
      buckets: REQUEST_SECONDS,
      registry,
    });
    this.streams = new BucketHistogram({
      name: 'terrarium_stream_duration_seconds',
      help: 'How long watches, commands and subscriptions were open.',
      buckets: STREAM_SECONDS,
      registry,
    });
    this.waits = new BucketHistogram({
      name: 'terrarium_request_wait_seconds',
      help: "Time that requests waited for their tenant's turn.",
      buckets: WAIT_SECONDS,
      registry,
    });
    const { open } = this;
    new Gauge<'edge'>({
      name: 'terrarium_open_requests',
      help: 'Requests and streams that are open, by edge: edge="exec" are the sessions of commands.',
      labelNames: ['edge'],
      registers,
      collect() {
        for (const [edge, count] of open) this.set({ edge }, count);
      },
    });
  }

  started({ arrivalEdge }: StartedRequest): void {
    this.open.set(arrivalEdge, (this.open.get(arrivalEdge) ?? 0) + 1);
  }

  finished({ edge, arrivalEdge, verb, code, ms, waitMs }: FinishedRequest): void {
    this.open.set(arrivalEdge, this.open.get(arrivalEdge)! - 1);
    const verbLabel = VERBS.has(verb) ? verb : 'other';
    this.durations(edge, verbLabel, code).observe(ms / MS_PER_SECOND);
    this.waitsOf(edge).observe(waitMs / MS_PER_SECOND);
  }

  private durations(edge: Edge, verb: string, code: number): HistogramSeries {
    const key = `${edge} ${verb} ${code}`;
    return this.known.get(key) ?? this.remember(key, this.findDurations(edge, verb, code));
  }

  private findDurations(edge: Edge, verb: string, code: number): HistogramSeries {
    const isStream = code < FIRST_ERROR && (verb === 'watch' || STREAM_EDGES.has(edge));
    return (isStream ? this.streams : this.requests).labels({ edge, verb, code: codeLabel(code) });
  }

  private waitsOf(edge: Edge): HistogramSeries {
    return this.known.get(edge) ?? this.remember(edge, this.waits.labels({ edge }));
  }

  private remember(key: string, series: HistogramSeries): HistogramSeries {
    if (this.known.size < MAX_KNOWN) this.known.set(key, series);
    return series;
  }
}

const codeLabel = (code: number): string => (CODES.has(code) ? String(code) : `${Math.floor(code / 100) % 10}xx`);
