import type { LogStore } from '@terrarium/store';
import type { Limits } from './limits.js';
import type { SegmentTexts } from './log/segment-texts.js';
import type { Metrics } from './metrics.js';
import type { Tracer } from './tracer.js';

/** What every part of one host shares. */
export interface HostContext {
  readonly store: LogStore;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly segmentTexts: SegmentTexts;
  /** Real ms since the epoch. */
  now(): number;
  /** Reports an error that no caller is told about. */
  onError(error: unknown, cluster: string): void;
}
