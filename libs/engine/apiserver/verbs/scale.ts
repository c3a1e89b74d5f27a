import type { Scale } from '../../api/autoscaling_v1.js';
import { invalidValue, Path } from '../../machinery/meta/field.js';
import type { BodyResponse } from '../../machinery/requests/http.js';
import type { Kind } from '../../machinery/kind.js';
import { ageColumn, integer, nameColumn } from '../../machinery/meta/columns.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { Column } from '../../machinery/meta/table.js';
import { conflict, invalid, OBJECT_MODIFIED } from '../../machinery/meta/status.js';
import type { Call } from '../call.js';
import { untrackedWriteOptions } from '../call-options.js';
import { decodeApplyConfiguration } from '../ownership/apply-configuration.js';
import { managerOrUserAgent } from '../ownership/field-manager.js';
import { mergeConfiguration } from '../ownership/merge-configuration.js';
import { checkUid } from '../registry/rest/preconditions.js';
import { decodeBody } from '../request/decode.js';
import { mutationOptions, type MutationOptions } from '../request/options.js';
import { convertToVersion } from '../response/conversion.js';
import { partialText } from '../response/json.js';
import { textResult } from '../response/respond.js';
import { parseIncludeObject, tableText } from '../response/table.js';
import { SCALE_DEFINITION, SCALE_GVK, scaleOf, scaleView, withReplicas } from '../scale/scale.js';
import { SCALE_TYPE, ScaleHandler, scaleWrite } from '../scale/scale-handler.js';
import { getCurrent } from './get.js';
import { patchObject } from './patch/patch-object.js';
import { APPLY_PATCH, patchMediaType } from './patch/patch-type.js';
import { checkName } from './request-object.js';

/** The scale subresource of any kind that has one. Models pkg/registry/apps/deployment/storage ScaleREST. */
export function scale(call: Call, verb: 'get' | 'update' | 'patch'): BodyResponse {
  const { kind } = call;
  const paths = kind.subresources!.scale!;
  const object = getCurrent(call);
  const current = scaleOf(object, paths);
  if (verb === 'get') return scaleResponse(call, current);
  const isApply = verb === 'patch' && patchMediaType(call, true) === APPLY_PATCH;
  const options = mutationOptions(verb === 'update' ? 'UpdateOptions' : 'PatchOptions', call.query, isApply);
  const handler = new ScaleHandler(kind, paths, object);
  const desired = isApply ? applyToScale(call, current, handler, options) : decodeScale(call, verb, current, options);
  const replicas = validateScale(call, object, desired);
  if (!isApply) {
    const manager = managerOrUserAgent(options.fieldManager, call.request.headers['user-agent']);
    handler.update(current, replicas, manager, call.now);
  }
  const draft = withReplicas(object, paths, replicas, handler.entries);
  const writeOptions = untrackedWriteOptions(call, options.dryRun);
  const stored = call.server.writer.update(kind, draft, writeOptions, '', scaleView(kind, paths));
  return scaleResponse(call, scaleOf(convertToVersion(kind, stored), paths));
}

function scaleResponse(call: Call, value: Scale): BodyResponse {
  const { kind, output, query, now } = call;
  const object = value as unknown as KubeObject;
  if (output.shape === 'partial') return textResult(call, 200, partialText(kind, object, output.metaVersion));
  if (output.shape !== 'table') return textResult(call, 200, JSON.stringify(value));
  const table = tableText({ ...kind, columns: COLUMNS } as Kind, [object], now, {
    metaVersion: output.metaVersion,
    include: parseIncludeObject(query.text('includeObject')),
    metadata: JSON.stringify({ resourceVersion: value.metadata?.resourceVersion }),
  });
  return textResult(call, 200, table);
}

/** Models pkg/printers/internalversion/printers.go printScale. */
const COLUMNS: readonly Column[] = [
  nameColumn,
  integer<ScaleObject>('Desired', 'How many pods are wanted.', ({ spec }) => spec?.replicas) as Column,
  integer<ScaleObject>('Available', 'How many pods there are.', ({ status }) => status?.replicas) as Column,
  ageColumn,
];
type ScaleObject = KubeObject & Pick<Scale, 'spec' | 'status'>;

/** The Scale of the body, or the current one with the body's patch. */
function decodeScale(
  call: Call,
  verb: 'update' | 'patch',
  current: Scale,
  { fieldValidation }: MutationOptions,
): Scale {
  const scale =
    verb === 'update'
      ? decodeBody(call, SCALE_DEFINITION, fieldValidation, SCALE_GVK)
      : patchObject(call, current as unknown as KubeObject, SCALE_DEFINITION, fieldValidation, SCALE_GVK);
  return scale as unknown as Scale;
}

/** The current Scale with the body's configuration applied. Throws 400, 409. */
function applyToScale(call: Call, current: Scale, { owners }: ScaleHandler, options: MutationOptions): Scale {
  const { fieldManager, fieldValidation, force } = options;
  const configuration = decodeApplyConfiguration(call, SCALE_GVK, SCALE_TYPE, fieldValidation);
  const write = scaleWrite(fieldManager, call.now);
  const merged = mergeConfiguration(current as unknown as KubeObject, configuration, owners, write, force);
  return { ...((merged ?? current) as Scale) };
}

/** The replicas of the desired Scale. Throws 400 for another name, 409 for another version, 422 below zero. */
function validateScale(call: Call, object: KubeObject, desired: Scale): number {
  const { kind, name } = call;
  desired.metadata ??= {} as Scale['metadata'];
  checkName(call, desired as unknown as KubeObject);
  checkUid(kind, desired as unknown as KubeObject, object);
  const { resourceVersion } = desired.metadata;
  if (resourceVersion && resourceVersion !== object.metadata.resourceVersion)
    throw conflict(kind, name, OBJECT_MODIFIED);
  const replicas = desired.spec?.replicas ?? 0;
  if (replicas < 0)
    throw invalid(SCALE_GVK, name, [
      invalidValue(Path.of('spec', 'replicas'), replicas, 'must be greater than or equal to 0'),
    ]);
  return replicas;
}
