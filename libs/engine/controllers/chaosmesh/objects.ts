import type { KubeObject } from '../../machinery/meta/object.js';
import type { Kind } from '../../machinery/kind.js';

/** Objects of Chaos Mesh's own API (chaos-mesh.org/v1alpha1), of which there are some once its CRDs are applied. */
export interface ChaosObject extends KubeObject {
  readonly spec?: ChaosSpec;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface ChaosSelector {
  readonly namespaces?: readonly string[];
  readonly labelSelectors?: Readonly<Record<string, string>>;
  readonly expressionSelectors?: readonly { key: string; operator: string; values?: string[] }[];
  readonly nodes?: readonly string[];
  readonly pods?: Readonly<Record<string, readonly string[]>>;
}

interface ChaosTime {
  readonly sec?: number;
}

/** What IOChaos shows of files instead. */
export interface ChaosAttributes {
  readonly ino?: number;
  readonly size?: number;
  readonly blocks?: number;
  readonly atime?: ChaosTime;
  readonly mtime?: ChaosTime;
  readonly ctime?: ChaosTime;
  readonly kind?: string;
  readonly perm?: number;
  readonly nlink?: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** The fields of all kinds that something is made of here. */
export interface ChaosSpec {
  readonly action?: string;
  readonly mode?: string;
  readonly value?: string;
  readonly duration?: string;
  readonly selector?: ChaosSelector;
  readonly gracePeriod?: number;
  readonly containerNames?: readonly string[];
  readonly direction?: string;
  readonly target?: { readonly selector?: ChaosSelector };
  readonly loss?: { readonly loss?: string };
  readonly corrupt?: { readonly corrupt?: string };
  readonly duplicate?: { readonly duplicate?: string };
  /** Of IOChaos a text: '10ms'. */
  readonly delay?: { readonly latency?: string; readonly jitter?: string } | string;
  readonly bandwidth?: { readonly rate?: string };
  readonly patterns?: readonly string[];
  readonly errno?: number;
  readonly stressors?: {
    readonly memory?: unknown;
    readonly cpu?: { readonly workers?: number; readonly load?: number };
  };
  readonly timeOffset?: string;
  readonly clockIds?: readonly string[];
  readonly volumePath?: string;
  /** Which files: one, or with stars at its end what is in a folder. */
  readonly path?: string;
  readonly attr?: ChaosAttributes;
  readonly mistake?: { readonly filling?: string; readonly maxOccurrences?: number; readonly maxLength?: number };
  readonly methods?: readonly string[];
  readonly percent?: number;
  /** Of a Schedule. */
  readonly schedule?: string;
  readonly type?: string;
  readonly historyLimit?: number;
  readonly [other: string]: unknown;
}

const GROUP = 'chaos-mesh.org';
export const API_VERSION = `${GROUP}/v1alpha1`;

const kindOf = (kind: string, plural: string): Kind<ChaosObject> =>
  ({ group: GROUP, version: 'v1alpha1', kind, plural, scope: 'Namespaced' }) as Kind<ChaosObject>;

/** By kind: those that one fault is made of. */
export const EXPERIMENTS: Readonly<Record<string, Kind<ChaosObject>>> = {
  PodChaos: kindOf('PodChaos', 'podchaos'),
  NetworkChaos: kindOf('NetworkChaos', 'networkchaos'),
  IOChaos: kindOf('IOChaos', 'iochaos'),
  StressChaos: kindOf('StressChaos', 'stresschaos'),
  TimeChaos: kindOf('TimeChaos', 'timechaos'),
  DNSChaos: kindOf('DNSChaos', 'dnschaos'),
};
export const Schedules = kindOf('Schedule', 'schedules');
export const Workflows = kindOf('Workflow', 'workflows');
export const KINDS: Readonly<Record<string, Kind<ChaosObject>>> = {
  ...EXPERIMENTS,
  Schedule: Schedules,
  Workflow: Workflows,
};

/** The field of a Schedule or a template that has the spec of a kind. */
export const FIELD_OF: Readonly<Record<string, string>> = {
  PodChaos: 'podChaos',
  NetworkChaos: 'networkChaos',
  IOChaos: 'ioChaos',
  StressChaos: 'stressChaos',
  TimeChaos: 'timeChaos',
  DNSChaos: 'dnsChaos',
};
