import type { Scale } from '../../api/autoscaling_v1.js';
import { invalidValue, Path } from '../../machinery/meta/field.js';
import type { BodyResponse } from '../../machinery/http.js';
import type { Kind, ScalePaths } from '../../machinery/kind.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { conflict, invalid, OBJECT_MODIFIED } from '../../machinery/meta/status.js';
import type { ObjectView } from '../../runtime/admission.js';
import { APPLY_PATCH, laidOver } from '../ownership/apply.js';
import { configOf } from '../ownership/apply-config.js';
import { untracked, type Call } from '../call.js';
import { decodeBody } from '../request/codec.js';
import { checkName, currentObject } from './mutate.js';
import { mutationOptions, type MutationOptions } from '../request/options.js';
import { managerOf, setEntries } from '../ownership/ownership.js';
import { patched, patchMediaType } from './patch.js';
import { inVersion } from '../response/print.js';
import { finish } from '../response/respond.js';
import { DEFINITION, SCALE, scaleOf, ScaleOwnership, scaleWrite } from '../ownership/scale-ownership.js';
import { withValue } from '../ownership/scale-paths.js';

const GVK = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** The scale subresource of any kind that has one. Models pkg/registry/apps/deployment/storage ScaleREST. */
export function scale(call: Call, verb: 'get' | 'update' | 'patch'): BodyResponse {
  const paths = call.kind.subresources!.scale!;
  const object = currentObject(call);
  const current = scaleOf(object, paths);
  if (verb === 'get') return respond(call, current);
  const isApply = verb === 'patch' && patchMediaType(call, true) === APPLY_PATCH;
  const options = mutationOptions(verb === 'update' ? 'UpdateOptions' : 'PatchOptions', call.query, isApply);
  const ownership = new ScaleOwnership(call.kind, paths, object);
  const wanted = isApply
    ? appliedScale(call, current, ownership, options)
    : ((verb === 'update'
        ? decodeBody(call, DEFINITION, options.fieldValidation, GVK)
        : patched(
            call,
            current as unknown as KubeObject,
            DEFINITION,
            options.fieldValidation,
            GVK,
          )) as unknown as Scale);
  wanted.metadata ??= {} as Scale['metadata'];
  checkName(call, wanted as unknown as KubeObject);
  const { uid, resourceVersion } = wanted.metadata;
  if (uid && uid !== object.metadata.uid)
    throw conflict(
      call.kind,
      call.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid}`,
    );
  if (resourceVersion && resourceVersion !== object.metadata.resourceVersion)
    throw conflict(call.kind, call.name, OBJECT_MODIFIED);
  const replicas = wanted.spec?.replicas ?? 0;
  if (replicas < 0)
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, call.name, [
      invalidValue(Path.of('spec', 'replicas'), replicas, 'must be greater than or equal to 0'),
    ]);
  if (!isApply)
    ownership.update(current, replicas, managerOf(options.fieldManager, call.request.headers['user-agent']), call.now);
  const draft = withValue(object as Unstructured, paths.spec, replicas) as unknown as KubeObject;
  draft.metadata = { ...draft.metadata };
  setEntries(draft, ownership.entries);
  const stored = call.server.writer.update(call.kind, draft, {
    ...untracked(call, options.dryRun),
    admittedAs: 'scale',
    view: scaleView(call.kind, paths),
  });
  return respond(call, scaleOf(inVersion(call.kind, stored), paths));
}

/** The Scale that an applied configuration makes. Throws 400, 409. */
function appliedScale(call: Call, current: Scale, ownership: ScaleOwnership, options: MutationOptions): Scale {
  const config = configOf(call, GVK, SCALE, options.fieldValidation);
  const live = current as unknown as KubeObject;
  return {
    ...((laidOver(live, config, ownership.owners, scaleWrite(options.fieldManager, call.now), options) ??
      live) as unknown as Scale),
  };
}

const respond = (call: Call, value: Scale): BodyResponse => finish(call, 200, JSON.stringify(value));

/** What admission is shown of a write by way of scale. */
export const scaleView = (kind: Kind, paths: ScalePaths): ObjectView => ({
  type: GVK,
  show: (object) => scaleOf(inVersion(kind, object), paths),
});
