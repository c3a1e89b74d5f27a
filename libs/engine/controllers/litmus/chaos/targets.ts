import type { Pod } from '../../../api/core_v1.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { Pods, ReplicaSets } from '../../../kinds/index.js';
import { controllerOf } from '../../../machinery/meta/object.js';
import type { Reader } from '../../../machinery/reader.js';
import type { ChaosEngine } from '../objects.js';

/** An error of litmus-go. */
export interface ChaosError {
  readonly errorCode: string;
  readonly reason: string;
  readonly target?: string;
}

export const errorOf = (errorCode: string, reason: string, target?: string): ChaosError => ({
  ...{ errorCode, reason },
  ...(target === undefined ? {} : { target }),
});

/** As results have it. Models litmus-go/pkg/cerrors. */
export const formatError = ({ errorCode, reason, target }: ChaosError, phase: string): string =>
  JSON.stringify({ errorCode, phase, reason, ...(target === undefined ? {} : { target }) });

/** A part of what an engine aims at: pods by one label, by names, or of workloads of these names. */
export interface AppDetails {
  readonly kind: string;
  readonly namespace: string;
  readonly labels: readonly string[];
  readonly names: readonly string[];
}

/** Of pods and of no workload: their names are the pods' own. */
const POD = 'pod';
/** Of whatever kind: pods of the namespace that are none of the chaos. */
const ANY_KIND = 'KIND';

/** Whatever the engine names; an empty list: nothing. Models chaos-operator's getTargets and litmus-go's GetTargets. */
export function targetsOf({ metadata, spec = {} }: ChaosEngine): readonly AppDetails[] {
  const { selectors, appinfo } = spec;
  const workloads = (selectors?.workloads ?? []).map(({ kind = '', namespace = '', names, labels = '' }) =>
    details(kind, namespace, names || labels),
  );
  const pods = (selectors?.pods ?? []).map(({ namespace = '', names = '' }) => details(POD, namespace, names));
  if (selectors) return [...workloads, ...pods];
  const { appns, appkind, applabel } = appinfo ?? {};
  if (!appns && !appkind && !applabel) return [];
  return [details(appkind || ANY_KIND, appns || (metadata.namespace ?? ''), applabel ?? '')];
}

/** As TARGETS of runners and experiments has it: 'deployment:default:[app=web]'. Models chaos-operator's getTargets. */
export const describeTargets = ({ metadata, spec = {} }: ChaosEngine): string => {
  const { selectors, appinfo } = spec;
  const line = (kind = '', namespace = '', filter = ''): string => `${kind}:${namespace}:[${filter}]`;
  if (selectors?.workloads)
    return selectors.workloads.map((one) => line(one.kind, one.namespace, one.names || one.labels)).join(';');
  if (selectors) return (selectors.pods ?? []).map((one) => line(POD, one.namespace, one.names)).join(';');
  const { appns, appkind, applabel } = appinfo ?? {};
  return appns || appkind || applabel ? line(appkind || ANY_KIND, appns || metadata.namespace, applabel) : '';
};

/** Why an engine names its application wrongly. Models chaos-operator's setExperimentDetails. */
export function findTargetFault({ spec = {} }: ChaosEngine): string | undefined {
  const { selectors, appinfo } = spec;
  if (selectors && !selectors.workloads && !selectors.pods) return 'specify one out of workloads or pods';
  if (!appinfo?.appkind !== !appinfo?.applabel) return 'incomplete appinfo, provide appkind and applabel both';
  return undefined;
}

/** 'a, b' in its parts. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function details(kind: string, namespace: string, filter: string): AppDetails {
  const parts = splitList(filter);
  const isLabels = filter.includes('=');
  return { kind, namespace, labels: isLabels ? parts : [], names: isLabels ? [] : parts };
}

/** The pods of a target that have not ended and are not being deleted. Models litmus-go/pkg/utils/common/pods.go. */
export function podsOf(read: Reader, { kind, namespace, labels, names }: AppDetails): Pod[] {
  const isWanted = (pod: Pod): boolean =>
    labels.length > 0
      ? labels.some((label) => hasLabel(pod, label)) && isOfKind(read, pod, kind)
      : kind === ANY_KIND
        ? !pod.metadata.labels?.['chaosUID'] && pod.metadata.labels?.['name'] !== 'chaos-operator'
        : isNamed(read, pod, kind, names);
  return read
    .list(Pods, namespace)
    .filter((pod) => !isPodTerminal(pod) && !pod.metadata.deletionTimestamp && isWanted(pod));
}

function hasLabel({ metadata }: Pod, label: string): boolean {
  const [key = '', value = ''] = label.split('=');
  return metadata.labels?.[key] === value;
}

/** Pods of another kind of workload that have the label are not meant. */
const isOfKind = (read: Reader, pod: Pod, kind: string): boolean =>
  kind === ANY_KIND || parentOf(read, pod)?.kind === kind.toLowerCase();

const isNamed = (read: Reader, pod: Pod, kind: string, names: readonly string[]): boolean =>
  kind === POD ? names.includes(pod.metadata.name ?? '') : names.includes(parentOf(read, pod)?.name ?? '');

/** What has made a pod: 'deployment' rather than its ReplicaSet. Models litmus-go/pkg/workloads. */
export function parentOf(read: Reader, pod: Pod): { readonly kind: string; readonly name: string } | undefined {
  const owner = controllerOf(pod);
  if (!owner) return undefined;
  const set =
    owner.kind === 'ReplicaSet'
      ? read.get(ReplicaSets, { namespace: pod.metadata.namespace ?? '', name: owner.name })
      : undefined;
  const above = set && controllerOf(set);
  return above
    ? { kind: above.kind.toLowerCase(), name: above.name }
    : { kind: owner.kind.toLowerCase(), name: owner.name };
}

/** Why the application under test does not run; undefined: it does. Models litmus-go/pkg/status/application.go. */
export function whyNotRunning(read: Reader, engine: ChaosEngine): ChaosError | undefined {
  for (const target of targetsOf(engine)) {
    if (target.kind === ANY_KIND) continue;
    const pods = podsOf(read, target);
    const where = `{podLabels: ${target.labels.join()}, namespace: ${target.namespace}}`;
    if (pods.length === 0 && target.labels.length > 0) return statusError(where, 'no pod found with matching labels');
    for (const { metadata, status } of pods) {
      const unready = status.containerStatuses?.find(({ ready }) => !ready);
      if (unready) {
        const reason = `container is ${unready.state?.terminated ? 'in terminated' : 'not in running'} state`;
        return statusError(`podName: ${metadata.name}, containerName: ${unready.name}`, reason);
      }
      if (status.phase !== 'Running')
        return statusError(
          `{podName: ${metadata.name}, namespace: ${target.namespace}}`,
          'pod is not in [[Running]] states',
        );
    }
  }
  return undefined;
}

const statusError = (target: string, reason: string): ChaosError => errorOf('STATUS_CHECKS_ERROR', reason, target);

/** As errors of a selection name what was looked for. Models litmus-go's GetAppDetailsForLogging. */
export const listTargets = (targets: readonly AppDetails[]): string => {
  const parts = targets.map(({ namespace, kind, labels, names }) =>
    labels.length > 0
      ? `{namespace: ${namespace}, kind: ${kind}, labels: [${labels.join(' ')}]}`
      : `{namespace: ${namespace}, kind: ${kind}, names: [${names.join(' ')}]}`,
  );
  return parts.length > 0 ? `[${parts.join(',')}]` : '';
};
