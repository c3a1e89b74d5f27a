import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';

/** Objects of LitmusChaos' own API (litmuschaos.io/v1alpha1), of which there are some once its CRDs are applied. */
export interface ChaosEngine extends KubeObject {
  readonly spec?: EngineSpec;
  readonly status?: EngineStatus;
}

export interface EngineSpec {
  readonly engineState?: string;
  readonly appinfo?: { readonly appns?: string; readonly applabel?: string; readonly appkind?: string };
  readonly selectors?: {
    readonly workloads?: readonly {
      readonly kind?: string;
      readonly namespace?: string;
      readonly names?: string;
      readonly labels?: string;
    }[];
    readonly pods?: readonly { readonly namespace?: string; readonly names?: string }[];
  };
  readonly defaultHealthCheck?: boolean;
  readonly jobCleanUpPolicy?: string;
  readonly experiments?: readonly EngineExperiment[];
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
}

export interface EngineExperiment {
  readonly name: string;
  readonly spec?: {
    readonly probe?: readonly Probe[];
    readonly components?: { readonly env?: readonly EnvVar[] };
  };
}

export interface Probe {
  readonly name: string;
  readonly type?: string;
  /** SOT, EOT, Edge, Continuous, OnChaos. */
  readonly mode?: string;
  readonly 'k8sProbe/inputs'?: ProbeInputs;
}

export interface ProbeInputs {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly resourceNames?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly operation?: string;
}

export interface ExperimentStatus {
  readonly name: string;
  readonly runner: string;
  readonly experimentPod: string;
  readonly status: string;
  readonly verdict: string;
  readonly lastUpdateTime: string;
}

export interface EngineStatus {
  readonly engineStatus?: string;
  readonly experiments?: readonly ExperimentStatus[];
}

export interface ChaosExperiment extends KubeObject {
  readonly spec?: { readonly definition?: { readonly env?: readonly EnvVar[] } };
}

export interface ProbeStatus {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly status: { readonly verdict: string; readonly description?: string };
}

export interface ResultStatus {
  readonly experimentStatus: {
    readonly phase: string;
    readonly verdict: string;
    readonly probeSuccessPercentage: string;
    readonly errorOutput?: { readonly errorCode: string; readonly reason: string };
  };
  readonly probeStatuses?: readonly ProbeStatus[];
  readonly history: {
    readonly passedRuns: number;
    readonly failedRuns: number;
    readonly stoppedRuns: number;
    readonly targets?: readonly { readonly chaosStatus: string; readonly kind: string; readonly name: string }[];
  };
}

export interface ChaosResult extends KubeObject {
  readonly spec?: unknown;
  readonly status?: ResultStatus;
}

const kindOf = <T extends KubeObject>(kind: string, plural: string): Kind<T> =>
  ({ group: 'litmuschaos.io', version: 'v1alpha1', kind, plural, scope: 'Namespaced' }) as Kind<T>;

export const API_VERSION = 'litmuschaos.io/v1alpha1';
export const ChaosEngines = kindOf<ChaosEngine>('ChaosEngine', 'chaosengines');
export const ChaosExperiments = kindOf<ChaosExperiment>('ChaosExperiment', 'chaosexperiments');
export const ChaosResults = kindOf<ChaosResult>('ChaosResult', 'chaosresults');
