import type { AttributeTrouble, MistakeTrouble } from '../kernel/trouble.js';
import type { Millis } from '../machinery/time/time.js';
import type { PodScope } from './scope.js';

/**
 * What an active fault does to one component of the cluster: a vocabulary that fault types are put together of, and
 * that the component which is concerned looks up (kinds/terrarium/fault/active.ts). It stands in the Fault's status.
 */
export type Effect =
  | NodeEffect
  | PressureEffect
  | ClockEffect
  | NodeNetworkEffect
  | ProxyEffect
  | ComponentEffect
  | ControllerEffect
  | RegistryEffect
  | ProcessEffect
  | StressEffect
  | ProbeEffect
  | NetworkEffect
  | NamesEffect
  | ApiEffect
  | EtcdEffect
  | WebhookEffect
  | VolumeEffect
  | CloudEffect
  | EvictEffect
  | ImageEffect;

export type EffectName = Effect['does'];
export type EffectOf<D extends EffectName> = Extract<Effect, { does: D }>;

/** `cut`: the kubelet runs, and does not reach the API server. */
export interface NodeEffect {
  readonly does: 'node';
  readonly nodes: readonly string[];
  readonly state: 'off' | 'kubelet-stopped' | 'runtime-stopped' | 'cut';
  /** What the kubelet says of the API server. */
  readonly message?: string;
}

export interface PressureEffect {
  readonly does: 'pressure';
  readonly nodes: readonly string[];
  readonly resource: 'memory' | 'disk' | 'inodes' | 'pids';
  /** Of the node's capacity, in use beside what pods use: 0 to 100. */
  readonly percent: number;
}

/** Clocks show a time that is so much later; negative: earlier. */
export interface ClockEffect {
  readonly does: 'clock';
  readonly nodes?: readonly string[];
  readonly pods?: PodScope;
  /** Of these pods; absent: all. */
  readonly containers?: readonly string[];
  readonly offsetMs: Millis;
}

export interface NodeNetworkEffect {
  readonly does: 'cni';
  readonly nodes: readonly string[];
  readonly fault: 'not-initialized' | 'exhausted';
}

export interface ProxyEffect {
  readonly does: 'proxy';
  readonly nodes: readonly string[];
}

/** A component of the control plane ends whenever it is started. */
export interface ComponentEffect {
  readonly does: 'component';
  readonly component: string;
  /** Its last words. */
  readonly reason: string;
}

/** Controllers that do nothing, while the process that they belong to runs. */
export interface ControllerEffect {
  readonly does: 'controller';
  readonly controllers: readonly string[];
}

export interface RegistryEffect {
  readonly does: 'registry';
  /** Hosts: 'docker.io'; absent: all. */
  readonly registries?: readonly string[];
  /** Parts of repositories' names; absent: all. */
  readonly images?: readonly string[];
  /** Absent: on every node. */
  readonly nodes?: readonly string[];
  readonly fault: 'down' | 'rate-limited' | 'slow';
  /** How many times as long a pull takes. */
  readonly factor?: number;
}

interface OfContainers {
  readonly pods: PodScope;
  /** Names; absent: all of a pod. */
  readonly containers?: readonly string[];
}

/**
 * `exit`: a main process ends, one that runs when the fault begins at once, one that is started later after `afterMs`.
 * `hang`: it is stopped, and answers nobody. `slow`: it is ready so much later. `leak`: its memory is used up so long
 * after its start, or after the fault's.
 */
export interface ProcessEffect extends OfContainers {
  readonly does: 'process';
  readonly act: 'exit' | 'hang' | 'slow' | 'leak';
  readonly code?: number;
  readonly reason?: string;
  readonly afterMs?: Millis;
  /** Those that are started while the fault is active end too. */
  readonly repeats?: boolean;
}

/** Something in the cgroups of containers would use so much CPU, in thousandths of one. */
export interface StressEffect extends OfContainers {
  readonly does: 'stress';
  readonly cpu: number;
  /** Processes that do so. */
  readonly workers?: number;
}

/** Answers to probes come so much later. */
export interface ProbeEffect extends OfContainers {
  readonly does: 'probe';
  readonly latencyMs: Millis;
}

/** The ends of connections; absent: any. Nodes are the hosts themselves and the pods on them. */
export interface Ends {
  readonly pods?: PodScope;
  readonly nodes?: readonly string[];
  /** The hosts of the control plane: its API server. */
  readonly controlPlane?: boolean;
}

/** Of packets that go from one end to the other, and of those that come back. */
export interface NetworkEffect {
  readonly does: 'network';
  readonly from: Ends;
  readonly to?: Ends;
  /** 'both': connections that either end begins. */
  readonly direction: 'to' | 'both';
  /** What stays on its node is not concerned. */
  readonly isBetweenNodes?: boolean;
  /** 100: nothing gets through. */
  readonly lossPercent?: number;
  readonly delayMs?: Millis;
  readonly jitterMs?: Millis;
  readonly duplicatePercent?: number;
  readonly bytesPerSecond?: number;
  readonly seed: number;
}

/** Questions for names of these pods. */
export interface NamesEffect {
  readonly does: 'names';
  readonly pods: PodScope;
  /** Names, '*' for any characters; absent: all. */
  readonly patterns?: readonly string[];
  readonly fault: 'servfail' | 'nxdomain' | 'lost' | 'random' | 'slow';
  readonly delayMs?: Millis;
  readonly seed: number;
}

/** Of requests to the API server. */
export interface ApiEffect {
  readonly does: 'api';
  readonly fault: 'error' | 'overload' | 'latency' | 'expired';
  readonly percent?: number;
  readonly latencyMs?: Millis;
  readonly code?: number;
  readonly verbs?: readonly string[];
  readonly resources?: readonly string[];
  readonly users?: readonly string[];
  readonly seed: number;
}

export interface EtcdEffect {
  readonly does: 'etcd';
  readonly fault: 'member' | 'quorum' | 'slow-disk';
  /** Of three. */
  readonly membersDown?: number;
  readonly latencyMs?: Millis;
}

export interface WebhookEffect {
  readonly does: 'webhook';
  /** Names of configurations or of their webhooks; absent: all. */
  readonly webhooks?: readonly string[];
}

export interface VolumeEffect {
  readonly does: 'volume';
  readonly fault:
    | 'attach'
    | 'mount'
    | 'provisioning'
    | 'full'
    | 'read-only'
    | 'io-error'
    | 'slow'
    | 'attributes'
    | 'mistake';
  readonly pods?: PodScope;
  /** Names; absent: all of a pod. */
  readonly containers?: readonly string[];
  /** What is mounted there, whatever it is; absent: claims. */
  readonly mountPath?: string;
  /** What calls fail with: 'EIO'. */
  readonly error?: string;
  /** Absent: both. */
  readonly calls?: 'read' | 'write';
  /** Of the calls. */
  readonly percent?: number;
  readonly latencyMs?: Millis;
  /** Only this file, or what is below this folder. */
  readonly below?: string;
  readonly attributes?: AttributeTrouble;
  readonly mistake?: MistakeTrouble;
  /** Names of claims, or 'NAMESPACE/NAME'; absent: all. */
  readonly claims?: readonly string[];
  readonly storageClasses?: readonly string[];
}

export interface CloudEffect {
  readonly does: 'cloud';
  readonly fault: 'error' | 'pending';
  /** Names of Services, or 'NAMESPACE/NAME'; absent: all. */
  readonly services?: readonly string[];
}

/** Done once, when the fault begins. */
export interface EvictEffect {
  readonly does: 'evict';
  readonly act: 'delete' | 'drain';
  readonly pods?: readonly string[];
  readonly nodes?: readonly string[];
  readonly gracePeriodSeconds?: number;
}

/** Containers of these pods run another image until the end. */
export interface ImageEffect {
  readonly does: 'image';
  /** 'NAMESPACE/NAME'. */
  readonly pods: readonly string[];
  readonly image: string;
  /** In the annotations that keep the images which were there. */
  readonly experiment: string;
}
