import { parseYaml } from '../../../../engine/schema/index.js';
import type { ApiObject, Session } from '../../kubectl/session/session.js';
import { attempt } from '../api.js';
import { errorOf, failureOf, type K8sInputs, type Outcome, type Probe } from './types.js';

type Wrong = Outcome | undefined;

/** One attempt of a k8sProbe, as the pod's service account. Models litmus-go/pkg/probe/k8sprobe.go. */
export function runK8sProbe(session: Session, probe: Probe, inputs: K8sInputs): Outcome {
  const { operation = '' } = inputs;
  const run = OPERATIONS[operation.toLowerCase()];
  if (!run) return errorOf(probe, `operation type '${operation}' not supported in the k8s probe`);
  const wrong = run(session, probe, inputs);
  const description = `Probe successfully performed the '${operation}' operation on the specified Kubernetes resource`;
  return wrong ?? { description };
}

const OPERATIONS: Readonly<Record<string, (session: Session, probe: Probe, inputs: K8sInputs) => Wrong>> = {
  create,
  delete: remove,
  present: (session, probe, inputs) => {
    const names = namesOf(inputs);
    if (names.length > 0) return findMissing(session, probe, inputs, names);
    const found = list(session, probe, inputs);
    if (!('length' in found)) return found;
    return found.length > 0 ? undefined : failureOf(probe, nothing(inputs));
  },
  absent: (session, probe, inputs) => {
    const names = namesOf(inputs);
    if (names.length > 0) return findPresent(session, probe, inputs, names);
    const found = list(session, probe, inputs);
    if (!('length' in found)) return found;
    const what = `resource with ${selectorsOf(inputs)} should not exists, found ${found.length} resources with matching selectors`;
    return found.length === 0 ? undefined : failureOf(probe, what);
  },
};

const namesOf = ({ resourceNames = '' }: K8sInputs): string[] =>
  resourceNames === '' ? [] : resourceNames.split(',').map((name) => name.trim());

const selectorsOf = ({ labelSelector = '', fieldSelector = '' }: K8sInputs): string =>
  `{labelSelectors: ${labelSelector}, fieldSelectors: ${fieldSelector}}`;
const nothing = (inputs: K8sInputs): string => `no resource found with provided ${selectorsOf(inputs)} selectors`;

function pathOf({ group = '', version = '', resource = '', namespace = '' }: K8sInputs, name = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${root}${scope}/${resource}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}

function create(session: Session, probe: Probe, inputs: K8sInputs): Wrong {
  const parsed = parseYaml(probe.data ?? '');
  if (parsed.error !== undefined) return errorOf(probe, `yaml: ${parsed.error}`);
  const object = parsed.value as ApiObject | undefined;
  if (typeof object !== 'object' || object === null || !object.kind)
    return errorOf(probe, `Object 'Kind' is missing in '${probe.data ?? ''}'`);
  const { failure } = attempt(() => session.post(pathOf(inputs), object));
  return failure === undefined ? undefined : failureOf(probe, failure);
}

function remove(session: Session, probe: Probe, inputs: K8sInputs): Wrong {
  let names = namesOf(inputs);
  if (names.length > 0) {
    const missing = findMissing(session, probe, inputs, names);
    if (missing) return missing;
  } else {
    const found = list(session, probe, inputs);
    if (!('length' in found)) return found;
    if (found.length === 0) return errorOf(probe, nothing(inputs));
    names = found.map(({ metadata }) => metadata?.name ?? '');
  }
  for (const name of names) {
    const { failure } = attempt(() => session.send('DELETE', pathOf(inputs, name), undefined, ''));
    if (failure !== undefined) return failureOf(probe, failure);
  }
  return undefined;
}

function findMissing(session: Session, probe: Probe, inputs: K8sInputs, names: readonly string[]): Wrong {
  for (const name of names) {
    const { failure } = attempt(() => session.get(pathOf(inputs, name)));
    if (failure !== undefined) return errorOf(probe, `unable to get the resources with name ${name}, err: ${failure}`);
  }
  return undefined;
}

function findPresent(session: Session, probe: Probe, inputs: K8sInputs, names: readonly string[]): Wrong {
  for (const name of names) {
    const answered = attempt(() => session.get(pathOf(inputs, name)));
    if (answered.failure === undefined)
      return failureOf(probe, `resource '${name}' exists but it is expected to be absent`);
    if (answered.status !== 404)
      return errorOf(probe, `unable to get the resources with name ${name} from k8s, err: ${answered.failure}`);
  }
  return undefined;
}

function list(session: Session, probe: Probe, inputs: K8sInputs): readonly ApiObject[] | Outcome {
  const { labelSelector = '', fieldSelector = '' } = inputs;
  const query = Object.entries({ labelSelector, fieldSelector })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const path = pathOf(inputs) + (query.length > 0 ? `?${query.join('&')}` : '');
  const { object, failure } = attempt(() => session.get(path));
  if (object === undefined)
    return errorOf(probe, `unable to list the resources with matching selector, err: ${failure}`);
  return (object['items'] ?? []) as readonly ApiObject[];
}
