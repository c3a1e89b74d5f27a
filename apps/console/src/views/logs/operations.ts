import { operation } from '../../api/operation.js';
import type { LogLine } from './log-buffer.js';
import type { Source } from './sources.js';

export interface LogBatch {
  readonly lines: readonly LogLine[];
  readonly ended: readonly { readonly source: number; readonly reason: string }[];
  readonly dropped: number;
}

export interface LogVariables {
  readonly clusterId: string;
  readonly sources: readonly Source[];
  readonly previous: boolean;
  readonly tailLines: number;
  readonly sinceSeconds?: number;
  readonly at?: string;
}

export const LOGS = operation<{ readonly logs: LogBatch }, LogVariables>(
  `subscription ($clusterId: ID!, $sources: [LogSourceInput!]!, $previous: Boolean, $tailLines: Int, $sinceSeconds: Int, $at: String) {
    logs(clusterId: $clusterId, sources: $sources, previous: $previous, tailLines: $tailLines, sinceSeconds: $sinceSeconds, at: $at) {
      lines { source at text } ended { source reason } dropped
    }
  }`,
);
