import type { FaultType } from '../model/operations.generated.js';
import type { Thing } from '../model/world.js';

/** Types that can be put on what was pointed at; those of the whole cluster when nothing was. */
export function typesFor(types: readonly FaultType[], thing: Pick<Thing, 'kind'> | undefined): FaultType[] {
  const selects = thing === undefined ? 'cluster' : SELECTED_BY[thing.kind];
  return types.filter((type) => type.selects === selects || (thing && canBeListed(type, thing.kind)));
}

const SELECTED_BY: Readonly<Record<string, string>> = {
  Node: 'nodes',
  Pod: 'pods',
  Service: 'pods',
  Deployment: 'pods',
  ReplicaSet: 'pods',
  StatefulSet: 'pods',
  DaemonSet: 'pods',
  Namespace: 'pods',
};
/** Lists of names that a kind of thing may stand in. */
const LISTED: Readonly<Record<string, string>> = { PersistentVolumeClaim: 'claims', Service: 'services' };
const canBeListed = ({ lists }: FaultType, kind: string): boolean => lists.includes(LISTED[kind] ?? '-');

const MAX_PODS = 100;

/** What was pointed at, as a Fault's target. `pods`: those of a Service or of what makes pods. */
export function targetOf(type: FaultType, thing: Thing | undefined, pods: readonly Thing[]): object {
  if (!thing) return {};
  const list = LISTED[thing.kind];
  if (type.selects !== 'pods' && list && type.lists.includes(list)) return { [list]: [thing.name] };
  if (thing.kind === 'Node') return { nodes: [thing.name] };
  if (thing.kind === 'Namespace') return { namespaces: [thing.name] };
  if (thing.kind === 'Pod') return { pods: [`${thing.namespace}/${thing.name}`] };
  const selector = thing.is.selector;
  // By labels pods that are made later are meant too.
  if (thing.kind === 'Service' && selector)
    return { namespaces: [thing.namespace], podSelector: { matchLabels: selector } };
  return { pods: pods.slice(0, MAX_PODS).map(({ namespace, name }) => `${namespace}/${name}`) };
}

/** What a form's texts say, as values of the parameters' types; what was left empty has its default. */
export function parametersOf(
  { parameters }: FaultType,
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type } of parameters) {
    const text = given[name]?.trim();
    if (!text) continue;
    values[name] =
      type === 'percent' || type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
  }
  return values;
}

interface NewFault {
  readonly type: FaultType;
  readonly target: object;
  readonly duration: string;
  readonly given: Readonly<Record<string, string>>;
  /** Makes its name unique. */
  readonly suffix: string;
}

export function faultManifest({ type, target, duration, given, suffix }: NewFault): object {
  const parameters = parametersOf(type, given);
  return {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: `${type.name.toLowerCase()}-${suffix}` },
    spec: {
      type: type.name,
      ...(Object.keys(target).length > 0 ? { target } : {}),
      ...(duration.trim() ? { duration: duration.trim() } : {}),
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    },
  };
}
