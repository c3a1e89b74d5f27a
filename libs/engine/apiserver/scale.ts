import type { Scale } from '../api/autoscaling_v1.js';
import { invalidValue, Path } from '../machinery/field.js';
import type { BodyResponse } from '../machinery/http.js';
import type { Kind, ScalePaths } from '../machinery/kind.js';
import type { KubeObject, LabelSelector, Unstructured } from '../machinery/object.js';
import { formatMap, formatRequirements, requirementsOf, type Labels } from '../machinery/selectors.js';
import { conflict, invalid, OBJECT_MODIFIED } from '../machinery/status.js';
import type { ObjectView } from '../runtime/admission.js';
import { writeOptions, type Call } from './call.js';
import { decodeBody } from './codec.js';
import { checkName, currentObject } from './mutate.js';
import { mutationOptions } from './options.js';
import { patched } from './patch.js';
import { inVersion } from './print.js';
import { finish } from './respond.js';
import { valueAt, withValue } from './scale-paths.js';

const DEFINITION = 'io.k8s.api.autoscaling.v1.Scale';
const GVK = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** The scale subresource of any kind that has one. Models pkg/registry/apps/deployment/storage ScaleREST. */
export function scale(call: Call, verb: 'get' | 'update' | 'patch'): BodyResponse {
  const paths = call.kind.subresources!.scale!;
  const object = currentObject(call);
  const current = scaleOf(object, paths);
  if (verb === 'get') return respond(call, current);
  const { dryRun, fieldValidation } = mutationOptions(verb === 'update' ? 'UpdateOptions' : 'PatchOptions', call.query);
  const wanted = (verb === 'update'
    ? decodeBody(call, DEFINITION, fieldValidation, GVK)
    : patched(call, current as unknown as KubeObject, DEFINITION, fieldValidation, GVK)) as unknown as Scale;
  wanted.metadata ??= {} as Scale['metadata'];
  checkName(call, wanted as unknown as KubeObject);
  const { uid, resourceVersion } = wanted.metadata;
  if (uid && uid !== object.metadata.uid) throw conflict(call.kind, call.name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid}`);
  if (resourceVersion && resourceVersion !== object.metadata.resourceVersion) throw conflict(call.kind, call.name, OBJECT_MODIFIED);
  const replicas = wanted.spec?.replicas ?? 0;
  if (replicas < 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, call.name, [invalidValue(Path.of('spec', 'replicas'), replicas, 'must be greater than or equal to 0')]);
  const draft = withValue(object as Unstructured, paths.spec, replicas) as unknown as KubeObject;
  const stored = call.server.writer.update(call.kind, draft, { ...writeOptions(call, dryRun), admittedAs: 'scale', view: scaleView(call.kind, paths) });
  return respond(call, scaleOf(inVersion(call.kind, stored), paths));
}

const respond = (call: Call, value: Scale): BodyResponse => finish(call, 200, JSON.stringify(value));

/** What admission is shown of a write by way of scale. */
export const scaleView = (kind: Kind, paths: ScalePaths): ObjectView => ({ type: GVK, of: (object) => scaleOf(inVersion(kind, object), paths) });

/** An object's Scale. */
export function scaleOf(object: KubeObject, paths: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? '' : selectorText(valueAt(object, paths.selector));
  return {
    kind: 'Scale', apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: Number(valueAt(object, paths.spec) ?? 0) },
    status: { replicas: Number(valueAt(object, paths.status) ?? 0), ...(selector ? { selector } : {}) },
  };
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return '';
  if ('matchLabels' in selector || 'matchExpressions' in selector) return formatRequirements(requirementsOf(selector as LabelSelector));
  return formatMap(selector as Labels);
}
