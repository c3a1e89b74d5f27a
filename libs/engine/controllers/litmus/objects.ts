import type { Container, EnvVar, LocalObjectReference, PodSecurityContext, Toleration } from '../../api/core_v1.js';
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
  readonly chaosServiceAccount?: string;
  readonly auxiliaryAppInfo?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly components?: { readonly runner?: RunnerInfo; readonly sidecar?: readonly unknown[] };
  readonly experiments?: readonly EngineExperiment[];
}

export interface RunnerInfo extends Placement {
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly runnerAnnotations?: Readonly<Record<string, string>>;
  readonly runnerLabels?: Readonly<Record<string, string>>;
}

/** What pods of the runner and of experiments take over. */
export interface Placement {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  readonly resources?: Container['resources'];
}

export interface EngineExperiment {
  readonly name: string;
  readonly spec?: {
    readonly probe?: readonly Probe[];
    readonly components?: ExperimentComponents;
  };
}

export interface ExperimentComponents extends Placement {
  readonly env?: readonly EnvVar[];
  readonly experimentImage?: string;
  readonly experimentImagePullSecrets?: readonly LocalObjectReference[];
  readonly experimentAnnotations?: Readonly<Record<string, string>>;
  readonly statusCheckTimeouts?: { readonly delay?: number; readonly timeout?: number };
}

export interface Probe {
  readonly name: string;
  readonly type?: string;
  /** SOT, EOT, Edge, Continuous, OnChaos. */
  readonly mode?: string;
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
  readonly spec?: { readonly definition?: ExperimentDefinition };
}

export interface ExperimentDefinition {
  readonly env?: readonly EnvVar[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly hostPID?: boolean;
  readonly securityContext?: {
    readonly podSecurityContext?: PodSecurityContext;
    readonly containerSecurityContext?: Container['securityContext'];
  };
}

export interface ProbeStatus {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly status: ProbeVerdict;
}

export interface ProbeVerdict {
  readonly verdict: string;
  readonly description?: string;
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
  readonly spec?: { readonly engine?: string; readonly experiment?: string; readonly instance?: string };
  readonly status?: ResultStatus;
}

const kindOf = <T extends KubeObject>(kind: string, plural: string): Kind<T> =>
  ({ group: 'litmuschaos.io', version: 'v1alpha1', kind, plural, scope: 'Namespaced' }) as Kind<T>;

export const API_VERSION = 'litmuschaos.io/v1alpha1';
export const ChaosEngines = kindOf<ChaosEngine>('ChaosEngine', 'chaosengines');
export const ChaosExperiments = kindOf<ChaosExperiment>('ChaosExperiment', 'chaosexperiments');
export const ChaosResults = kindOf<ChaosResult>('ChaosResult', 'chaosresults');

const MAX_EXPERIMENTS = 20;

export const experimentsOf = ({ spec }: ChaosEngine): readonly EngineExperiment[] =>
  (spec?.experiments ?? []).slice(0, MAX_EXPERIMENTS);
