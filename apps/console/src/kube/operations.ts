import { operation } from '../api/operation.js';
import type { Resource } from './resource.js';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface Row {
  /** "NAMESPACE/NAME". */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly created: string;
  readonly deleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly cells: readonly unknown[];
}

export interface TableBatch {
  readonly reset: boolean;
  readonly columns: readonly TableColumn[] | null;
  readonly rows: readonly Row[];
  readonly removed: readonly string[];
  readonly revision: number;
  readonly now: number | null;
  readonly age: number | null;
}

export interface TableVariables {
  readonly clusterId: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export const RESOURCES = operation<{ readonly resources: readonly Resource[] }, { clusterId: string; at?: string }>(
  `query ($clusterId: ID!, $at: String) {
    resources(clusterId: $clusterId, at: $at) {
      group version apiVersion kind resource singular namespaced verbs shortNames categories subresources preferred
    }
  }`,
);

export const TABLE_CHANGES = operation<{ readonly tableChanges: TableBatch }, TableVariables>(
  `subscription ($clusterId: ID!, $apiVersion: String!, $resource: String!, $namespace: String, $labelSelector: String, $fieldSelector: String) {
    tableChanges(clusterId: $clusterId, apiVersion: $apiVersion, resource: $resource, namespace: $namespace, labelSelector: $labelSelector, fieldSelector: $fieldSelector) {
      reset columns { name type format description priority } rows removed revision now age
    }
  }`,
);

export interface TablePage {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly Row[];
  readonly continue: string | null;
  readonly remaining: number | null;
}

export const TABLE = operation<{ readonly table: TablePage }, TableVariables & { at: string }>(
  `query ($clusterId: ID!, $apiVersion: String!, $resource: String!, $namespace: String, $labelSelector: String, $fieldSelector: String, $at: String) {
    table(clusterId: $clusterId, apiVersion: $apiVersion, resource: $resource, namespace: $namespace, labelSelector: $labelSelector, fieldSelector: $fieldSelector, at: $at, limit: 10000) {
      columns { name type format description priority } rows continue remaining
    }
  }`,
);

export const CLOCK = operation<{ readonly clock: { rate: number; paused: boolean } }, { clusterId: string }>(
  `query ($clusterId: ID!) { clock(clusterId: $clusterId) { rate paused } }`,
);
