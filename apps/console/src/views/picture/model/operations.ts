import { operation } from '../../../api/operation.js';
import type { Flow } from './flows.js';
import type { Batch } from './row.js';

export const PICTURE = operation<{ readonly pictureChanges: Batch }, { readonly id: string; readonly at?: string }>(
  'subscription ($id: ID!, $at: String) { pictureChanges(clusterId: $id, at: $at) { begins left revision at labels rows } }',
);

export const FLOWS = operation<{ readonly flows: { readonly flows: readonly Flow[] } }, { readonly id: string }>(
  'subscription ($id: ID!) { flows(clusterId: $id) { flows { id from to service port verdict decided endedAt bytesSent bytesReceived } } }',
);

export interface WhyStep {
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
  readonly object: string;
  readonly text: string;
}
export interface Why {
  readonly reason: string;
  readonly message: string;
  readonly findings: readonly {
    readonly object: string;
    readonly reason: string;
    readonly message: string;
    readonly details?: readonly string[] | null;
  }[];
  readonly chain: readonly WhyStep[];
  readonly chainEnds: string;
}
export const WHY = operation<{ readonly why: Why }, { readonly id: string; readonly spec: object }>(
  `query ($id: ID!, $spec: JSON!) { why(clusterId: $id, spec: $spec) {
    reason message findings { object reason message details } chain { revision at actor object text } chainEnds } }`,
);

export interface Trace {
  readonly verdict: string;
  readonly reason: string;
  readonly address: string;
  readonly port: number;
  readonly hops: readonly { readonly at: string; readonly type: string; readonly text: string }[];
}
export const TRACE = operation<
  { readonly trace: Trace },
  { readonly id: string; readonly from: string; readonly to: string; readonly port?: string }
>(
  `query ($id: ID!, $from: String!, $to: String!, $port: String) { trace(clusterId: $id, from: $from, to: $to, port: $port) {
    verdict reason address port hops { at type text } } }`,
);

export interface FaultParameter {
  readonly name: string;
  readonly about: string;
  readonly type: 'duration' | 'percent' | 'integer' | 'choice' | 'text' | 'boolean';
  readonly default?: unknown;
  readonly of?: readonly string[] | null;
  readonly min?: number | null;
  readonly max?: number | null;
}
export interface FaultType {
  readonly name: string;
  readonly about: string;
  readonly symptoms: string;
  readonly selects: 'nodes' | 'pods' | 'cluster';
  readonly lists: readonly string[];
  readonly needs: readonly string[];
  readonly parameters: readonly FaultParameter[];
}
export const FAULT_TYPES = operation<{ readonly faultTypes: readonly FaultType[] }, { readonly id: string }>(
  `query ($id: ID!) { faultTypes(clusterId: $id) { name about symptoms selects lists needs
    parameters { name about type default of min max } } }`,
);

export const APPLY = operation<
  { readonly apply: readonly unknown[] },
  { readonly id: string; readonly manifest: object }
>('mutation ($id: ID!, $manifest: JSON!) { apply(clusterId: $id, manifest: $manifest) }');

export const FAULT = operation<
  { readonly object: { readonly spec: object } | null },
  { readonly id: string; readonly name: string }
>(
  `query ($id: ID!, $name: String!) {
    object(clusterId: $id, apiVersion: "terrarium.dev/v1alpha1", kind: "Fault", name: $name) }`,
);
