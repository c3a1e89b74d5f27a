import { parseFieldSelector } from '../../machinery/selectors/field-selector.js';
import { parseLabelSelector } from '../../machinery/selectors/parser.js';
import { matchesTerm } from '../../machinery/selectors/requirement.js';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { EngineExperiment, Probe, ProbeInputs, ProbeStatus } from './objects.js';
import { splitList } from './targets.js';

export type ProbePhase = 'PreChaos' | 'PostChaos';

const MODES: Readonly<Record<ProbePhase, readonly string[]>> = {
  PreChaos: ['sot', 'edge'],
  PostChaos: ['eot', 'edge'],
};

export const probesOf = ({ spec }: EngineExperiment): readonly Probe[] => spec?.probe ?? [];

/** What of an experiment's probes is not simulated; undefined: all of them are. */
export function findUnknownProbe(experiment: EngineExperiment): string | undefined {
  for (const { name, type = '', mode = '', ...inputs } of probesOf(experiment)) {
    if (type.toLowerCase() !== 'k8sprobe') return `the ${type} ${name} is not simulated`;
    if (!['sot', 'eot', 'edge'].includes(mode.toLowerCase()))
      return `the mode ${mode} of the probe ${name} is not simulated`;
    const { operation = '' } = inputs['k8sProbe/inputs'] ?? {};
    if (!['present', 'absent'].includes(operation.toLowerCase()))
      return `the operation ${operation} of the probe ${name} is not simulated`;
  }
  return undefined;
}

export const awaited = (probes: readonly Probe[]): ProbeStatus[] =>
  probes.map(({ name, type = '', mode = '' }) => ({ name, type, mode, status: { verdict: 'Awaited' } }));

/** What a probe has found wrong. An error, other than a failure, ends the experiment. */
interface ProbeError {
  readonly code: 'K8S_PROBE_ERROR' | 'K8S_PROBE_FAILURE';
  readonly reason: string;
}
const errorOf = (reason: string): ProbeError => ({ code: 'K8S_PROBE_ERROR', reason });
const failureOf = (reason: string): ProbeError => ({ code: 'K8S_PROBE_FAILURE', reason });

export interface ProbeRun {
  readonly statuses: readonly ProbeStatus[];
  /** As JSON: why the experiment cannot go on. */
  readonly error?: string;
}

/** Runs what belongs to a phase; the others stay as they are. Models litmus-go/pkg/probe. */
export function runProbes(
  client: Client,
  probes: readonly Probe[],
  before: readonly ProbeStatus[],
  phase: ProbePhase,
): ProbeRun {
  let fatal: string | undefined;
  const statuses = probes.map((probe, at) => {
    const known = before[at] ?? awaited([probe])[0]!;
    const mode = (probe.mode ?? '').toLowerCase();
    if (!MODES[phase].includes(mode) || known.status.verdict === 'Failed') return known;
    const inputs = probe['k8sProbe/inputs'] ?? {};
    const error = k8sError(client, inputs);
    if (error?.code === 'K8S_PROBE_ERROR' && fatal === undefined) {
      const { code, reason } = error;
      fatal = JSON.stringify({ errorCode: code, phase, reason, target: `{name: ${probe.name}}` });
      return known;
    }
    if (error) return { ...known, status: { verdict: 'Failed', description: error.reason } };
    const description = `Probe successfully performed the '${inputs.operation}' operation on the specified Kubernetes resource`;
    // An edge is passed when both of its sides are.
    const verdict = mode === 'edge' && phase === 'PreChaos' ? known.status.verdict : 'Passed';
    return { ...known, status: { verdict, description } };
  });
  return { statuses, ...(fatal === undefined ? {} : { error: fatal }) };
}

/** Why a k8sProbe fails. Models litmus-go/pkg/probe/k8sprobe.go. */
function k8sError(client: Client, inputs: ProbeInputs): ProbeError | undefined {
  const { group = '', resource = '', namespace = '', operation = '' } = inputs;
  const kind = client.allKinds().find((one) => one.group === group && one.plural === resource);
  if (!kind) return errorOf('the server could not find the requested resource');
  const isPresent = operation.toLowerCase() === 'present';
  const names = splitList(inputs.resourceNames ?? '');
  if (names.length === 0) return selectedError(client, kind, inputs, isPresent);
  const isThere = (name: string): boolean => client.get(kind, { namespace, name }) !== undefined;
  const wrong = names.find((name) => isThere(name) !== isPresent);
  if (wrong === undefined) return undefined;
  const what = [resource, group].filter((part) => part !== '').join('.');
  return isPresent
    ? errorOf(`unable to get the resources with name ${wrong}, err: ${what} "${wrong}" not found`)
    : failureOf(`resource '${wrong}' exists but it is expected to be absent`);
}

function selectedError(client: Client, kind: Kind, inputs: ProbeInputs, isPresent: boolean): ProbeError | undefined {
  const { namespace = '', labelSelector = '', fieldSelector = '' } = inputs;
  const selectors = `{labelSelectors: ${labelSelector}, fieldSelectors: ${fieldSelector}}`;
  try {
    const found = client.list(kind, namespace || undefined).filter((one) => meets(one, labelSelector, fieldSelector));
    if (found.length > 0 === isPresent) return undefined;
    if (isPresent) return failureOf(`no resource found with provided ${selectors} selectors`);
    return failureOf(
      `resource with ${selectors} should not exists, found ${found.length} resources with matching selectors`,
    );
  } catch (error) {
    if (error instanceof ApiError)
      return errorOf(`unable to list the resources with matching selector, err: ${error.message}`);
    throw error;
  }
}

function meets(object: KubeObject, labels: string, fields: string): boolean {
  const hasLabels = parseLabelSelector(labels).every(({ operator, key, values }) =>
    matchesTerm(operator, key, values, object.metadata.labels),
  );
  return (
    hasLabels &&
    parseFieldSelector(fields).every(({ field, equal, value }) => (fieldOf(object, field) === value) === equal)
  );
}

/** 'status.phase' as a text; '' when it is absent. */
function fieldOf(object: KubeObject, path: string): string {
  let at: unknown = object;
  for (const part of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[part];
  return at === undefined || at === null ? '' : String(at);
}
