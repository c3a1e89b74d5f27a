import type { WhyStep } from '../../kube/why/why.generated.js';

/** Who takes part in the start of a pod. */
export const PARTS = ['user', 'apiserver', 'controller', 'scheduler', 'kubelet', 'cri', 'cni', 'csi'] as const;
export type Part = (typeof PARTS)[number];

export interface Step {
  /** Virtual ms. */
  readonly at: number;
  readonly from: Part;
  readonly to: Part;
  /** Who it was, by name: 'replicaset-controller'. */
  readonly actor: string;
  /** Which of the texts says it. */
  readonly kind: StepKind;
  /** What the text is about: an object, an image, a reason. */
  readonly about: string;
  readonly revision?: number;
  /** Where it is known from. */
  readonly source: 'log' | 'event' | 'status';
}

export type StepKind =
  | 'create'
  | 'update'
  | 'bind'
  | 'status'
  | 'sandbox'
  | 'network'
  | 'pull'
  | 'pulled'
  | 'container'
  | 'started'
  | 'attach'
  | 'mount'
  | 'ready'
  | 'warning';

export interface PodEvent {
  readonly reason?: string;
  readonly message?: string;
  readonly type?: string;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
}

export interface StartedPod {
  readonly metadata: { readonly creationTimestamp?: string };
  readonly spec?: {
    readonly nodeName?: string;
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName?: string } }[];
  };
  readonly status?: {
    readonly podIP?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: string;
    }[];
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly state?: { readonly running?: { readonly startedAt?: string } };
    }[];
  };
}

export interface Recorded {
  /** What led to the pod: the first is a user's write. */
  readonly chain: readonly WhyStep[];
  /** Changes of the pod itself. */
  readonly entries: readonly WhyStep[];
  readonly events: readonly PodEvent[];
  readonly pod?: StartedPod;
}

/** Steps of one start are as many as these; a pod that goes on crashing has no more. */
const MAX_STEPS = 80;

/**
 * The start of a pod as it was recorded: changes from the log, and what only its node saw from events and the status.
 * In the order of time; what is told twice is told once, by the log.
 */
export function podStart({ chain, entries, events, pod }: Recorded): Step[] {
  const seen = new Set<number>();
  const log = [...chain, ...entries].filter(({ revision }) => !seen.has(revision) && seen.add(revision));
  const exact = exactTimes(log);
  const known = [...events.flatMap(stepOfEvent), ...stepsOfStatus(pod)];
  const steps = [...log.map(stepOfEntry), ...known.map((step) => ({ ...step, at: exact(step.at) }))];
  steps.sort((a, b) => a.at - b.at || ORDER[a.kind] - ORDER[b.kind] || (a.revision ?? 0) - (b.revision ?? 0));
  const ready = steps.findIndex(({ kind }) => kind === 'ready');
  return steps.slice(0, ready < 0 ? MAX_STEPS : Math.min(MAX_STEPS, ready + 1));
}

/**
 * Events and conditions tell whole seconds. What the kubelet reported in the same second, it had seen just before: then
 * its report has the moment.
 */
function exactTimes(log: readonly WhyStep[]): (at: number) => number {
  const reports = log.filter(({ actor }) => partOf(actor) === 'kubelet').map(({ at }) => Date.parse(at));
  reports.sort((a, b) => a - b);
  return (at) => (at % SECOND === 0 ? (reports.find((one) => one >= at && one < at + SECOND) ?? at) : at);
}
const SECOND = 1_000;

/** Of steps at one moment. */
const ORDER: Readonly<Record<StepKind, number>> = {
  ...{ create: 0, update: 1, bind: 2, attach: 3, mount: 4, sandbox: 5, network: 6, pull: 7, pulled: 8, container: 9 },
  ...{ started: 10, status: 11, warning: 12, ready: 13 },
};

function stepOfEntry({ revision, at, actor, verb, object, fields }: WhyStep): Step {
  const isBinding =
    verb === 'update' && partOf(actor) === 'scheduler' && fields.some((field) => field.startsWith('spec'));
  const isStatus = fields.length > 0 && fields.every((field) => field.startsWith('status'));
  const kind = verb === 'create' ? 'create' : isBinding ? 'bind' : isStatus ? 'status' : 'update';
  const about = kind === 'create' || kind === 'update' ? object : '';
  return {
    at: Date.parse(at),
    from: partOf(actor),
    to: 'apiserver',
    actor: shortName(actor),
    kind,
    about,
    revision,
    source: 'log',
  };
}

export function partOf(actor: string): Part {
  if (/scheduler/.test(actor)) return 'scheduler';
  if (/^system:node:|kubelet/.test(actor)) return 'kubelet';
  return /controller|system:serviceaccount:kube-system:|system:kube/.test(actor) ? 'controller' : 'user';
}

const shortName = (actor: string): string => actor.split(':').at(-1) ?? actor;

/** Reasons of events, and what they say of the parts that the log does not name. */
const EVENTS: Readonly<Record<string, readonly [StepKind, Part, Part]>> = {
  Pulling: ['pull', 'kubelet', 'cri'],
  Pulled: ['pulled', 'cri', 'kubelet'],
  Created: ['container', 'kubelet', 'cri'],
  Started: ['started', 'cri', 'kubelet'],
  SuccessfulAttachVolume: ['attach', 'controller', 'csi'],
  SuccessfulMountVolume: ['mount', 'kubelet', 'csi'],
  AddedInterface: ['network', 'cri', 'cni'],
};

function stepOfEvent(event: PodEvent): Step[] {
  const { reason = '', message = '', type } = event;
  const at = Date.parse(event.eventTime ?? event.firstTimestamp ?? event.lastTimestamp ?? '');
  const known = EVENTS[reason];
  if (Number.isNaN(at) || (!known && type !== 'Warning')) return [];
  const actor = event.reportingComponent || event.source?.component || '';
  const [kind, from, to] = known ?? (['warning', partOf(actor), 'apiserver'] as const);
  return [{ at, from, to, actor, kind, about: known ? message : `${reason}: ${message}`, source: 'event' }];
}

function stepsOfStatus(pod: StartedPod | undefined): Step[] {
  const { conditions = [], podIP = '' } = pod?.status ?? {};
  const timeOf = (type: string): number =>
    Date.parse(conditions.find((one) => one.type === type && one.status === 'True')?.lastTransitionTime ?? '');
  const steps: Step[] = [];
  const base = { actor: 'kubelet', source: 'status' } as const;
  const sandbox = timeOf('PodReadyToStartContainers');
  if (!Number.isNaN(sandbox)) {
    steps.push({ ...base, at: sandbox, from: 'kubelet', to: 'cri', kind: 'sandbox', about: '' });
    steps.push({ ...base, at: sandbox, from: 'cri', to: 'cni', kind: 'network', about: podIP });
  }
  const ready = timeOf('Ready');
  if (!Number.isNaN(ready))
    steps.push({ ...base, at: ready, from: 'kubelet', to: 'apiserver', kind: 'ready', about: '' });
  return steps;
}
