import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';

/** Objects of LitmusChaos' own API (litmuschaos.io/v1alpha1), of which there are some once its CRDs are applied. */
export interface ChaosEngine extends KubeObject {
  readonly spec?: {
    readonly engineState?: string;
    readonly appinfo?: { readonly appns?: string; readonly applabel?: string; readonly appkind?: string };
    readonly experiments?: readonly EngineExperiment[];
  };
  readonly status?: EngineStatus;
}

export interface EngineExperiment {
  readonly name: string;
  readonly spec?: {
    readonly components?: { readonly env?: readonly { readonly name: string; readonly value?: string }[] };
  };
}

export interface EngineStatus {
  readonly engineStatus?: string;
  readonly experiments?: readonly Readonly<Record<string, string>>[];
}

export interface ChaosResult extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

const kindOf = <T extends KubeObject>(kind: string, plural: string): Kind<T> =>
  ({ group: 'litmuschaos.io', version: 'v1alpha1', kind, plural, scope: 'Namespaced' }) as Kind<T>;

export const API_VERSION = 'litmuschaos.io/v1alpha1';
export const ChaosEngines = kindOf<ChaosEngine>('ChaosEngine', 'chaosengines');
export const ChaosExperiments = kindOf<KubeObject>('ChaosExperiment', 'chaosexperiments');
export const ChaosResults = kindOf<ChaosResult>('ChaosResult', 'chaosresults');
