import type { Fields, FieldsType, MapType, ScalarType } from '../../machinery/managedfields/index.js';
import { definition, shortName, type Field, type FieldType } from './definitions.js';

const EMPTY: Fields = Object.freeze({});
const NO_ITEMS: readonly never[] = Object.freeze([]);

/**
 * Fields that are Go structs, not pointers: Go's JSON has them even when they are not set, so that no manager comes to
 * own them as such. Models the struct tags of k8s.io/api's types.go.
 */
const STRUCTS: Readonly<Record<string, string>> = {
  CSINode: 'spec',
  CronJobSpec: 'jobTemplate',
  CustomResourceDefinitionSpec: 'names',
  DaemonSetSpec: 'template updateStrategy',
  DeploymentSpec: 'strategy template',
  Event: 'involvedObject source',
  HorizontalPodAutoscalerSpec: 'scaleTargetRef',
  IngressStatus: 'loadBalancer',
  JobSpec: 'template',
  JobTemplateSpec: 'metadata spec',
  NetworkPolicySpec: 'podSelector',
  NodeStatus: 'daemonEndpoints nodeInfo',
  PersistentVolumeClaimSpec: 'resources',
  PodTemplate: 'template',
  PodTemplateSpec: 'metadata spec',
  ReplicaSetSpec: 'template',
  ServiceStatus: 'loadBalancer',
  StatefulSetSpec: 'template updateStrategy',
  VolumeAttachmentSpec: 'source',
  RoleBinding: 'roleRef',
  ClusterRoleBinding: 'roleRef',
  CustomResourceDefinitionStatus: 'acceptedNames',
  NodeDaemonEndpoints: 'kubeletEndpoint',
};
/** Lists that Go's JSON has as null when they are not set. */
const LISTS: Readonly<Record<string, string>> = { PodSpec: 'containers' };
const ALWAYS = ['metadata', 'spec', 'status'];
/** Defaults of fields that are keys of lists. */
const KEY_DEFAULTS: Fields = { protocol: 'TCP' };
/** Default of the key of references, which may lack a name. */
const NAME_DEFAULTS: Fields = { name: '' };

const SCALARS: Readonly<Record<string, ScalarType['of']>> = {
  string: 'string',
  'string:byte': 'string',
  boolean: 'boolean',
  'integer:int32': 'numeric',
  'integer:int64': 'numeric',
  'number:double': 'numeric',
};
const DEDUCED: FieldsType = { kind: 'deduced' };
// oxlint-disable-next-line house/no-module-state -- by the name of a built-in type
const types = new Map<string, FieldsType>();

/** A built-in type as managed fields need to know it. The type of an unknown definition is deduced from the value. */
export function fieldsType(name: string): FieldsType {
  let type = types.get(name);
  if (!type) types.set(name, (type = makeType(name)));
  return type;
}

function makeType(name: string): FieldsType {
  const known = definition(name);
  if (!known) return DEDUCED;
  if (!known.fields)
    return known.type === 'object' || known.type === 'any' || known.type === undefined ? DEDUCED : { kind: 'scalar' };
  const { fields } = known;
  const made = new Map<string, FieldsType>();
  const type: MapType = {
    kind: 'map',
    atomic: known.mapType === 'atomic',
    implicit: implicitOf(name, fields, known.gvk !== undefined),
    field(field) {
      let found = made.get(field);
      if (!found && Object.hasOwn(fields, field)) made.set(field, (found = ofField(fields[field]!)));
      return found;
    },
  };
  return type;
}

function implicitOf(name: string, fields: Readonly<Record<string, Field>>, isKind: boolean): Fields {
  const short = shortName(name);
  const structs = [...(STRUCTS[short]?.split(' ') ?? []), ...(isKind ? ALWAYS : [])].filter((f) => f in fields);
  return Object.fromEntries([
    ...structs.map((f) => [f, EMPTY]),
    ...(LISTS[short]?.split(' ') ?? []).map((f) => [f, NO_ITEMS]),
  ]);
}

function ofField(field: Field): FieldsType {
  return ofType(field.type, field);
}

function ofType(type: FieldType, field?: Field): FieldsType {
  if (typeof type === 'string') {
    if (!type.startsWith('io.k8s.'))
      return type === 'object' || type === 'any' ? DEDUCED : { kind: 'scalar', of: SCALARS[type] };
    const named = fieldsType(type);
    return field?.mapType && named.kind === 'map' ? { ...named, atomic: field.mapType === 'atomic' } : named;
  }
  if ('*' in type)
    return { kind: 'map', atomic: field?.mapType === 'atomic', field: () => undefined, element: ofType(type['*']) };
  const element = ofType((type as readonly [FieldType])[0]);
  const isMap = field?.listType === 'map';
  const keyDefaults =
    typeof type[0 as never] === 'string' && shortName(String(type[0 as never])) === 'LocalObjectReference'
      ? NAME_DEFAULTS
      : KEY_DEFAULTS;
  return {
    kind: 'list',
    atomic: !isMap && field?.listType !== 'set',
    element,
    ...(isMap ? { keys: field.mapKeys, keyDefaults } : {}),
  };
}
