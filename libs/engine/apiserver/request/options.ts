import type { DeleteOptions } from '../../api/meta_v1.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../machinery/meta/field.js';
import { badRequest, invalid } from '../../machinery/meta/status.js';
import type { Query } from '../../machinery/requests/query.js';

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface MutationOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** '' when the query does not say. */
  readonly fieldManager: string;
  /** Of apply: takes over fields that other managers own. */
  readonly force: boolean;
}

const MAX_FIELD_MANAGER = 128;

/**
 * dryRun, fieldManager, fieldValidation and force of a write. `kind` is 'CreateOptions', 'UpdateOptions' or
 * 'PatchOptions'. Throws 422.
 */
export function mutationOptions(kind: string, query: Query, isApply = false): MutationOptions {
  const dryRun = query.all('dryRun');
  const validation = query.text('fieldValidation');
  const manager = query.text('fieldManager');
  const errors: FieldError[] = [];
  if (isApply && !manager) errors.push(required(Path.of('fieldManager'), 'is required for apply patch'));
  if (kind === 'PatchOptions' && !isApply && query.get('force') !== null)
    errors.push(forbiddenField(Path.of('force'), 'may not be specified for non-apply patch'));
  if (manager.length > MAX_FIELD_MANAGER) errors.push(tooLong(Path.of('fieldManager'), MAX_FIELD_MANAGER));
  const hidden = manager.search(/[^\x20-\x7e\u00a0-\uffff]/);
  if (hidden >= 0)
    errors.push(
      invalidValue(
        Path.of('fieldManager'),
        manager,
        `invalid character ${codePoint(manager.charCodeAt(hidden))} (at position ${hidden})`,
      ),
    );
  errors.push(...dryRunErrors(dryRun));
  if (validation && !['Ignore', 'Strict', 'Warn'].includes(validation))
    errors.push(notSupported(Path.of('fieldValidation'), validation, ['', 'Ignore', 'Strict', 'Warn']));
  throwInvalid(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: (validation || 'Warn') as FieldValidation,
    fieldManager: manager,
    force: query.flag('force'),
  };
}

/** 'U+0000', as Go's %U prints. */
const codePoint = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

function dryRunErrors(values: readonly string[]): FieldError[] {
  const bad = values.filter((v) => v !== 'All');
  return bad.length ? [notSupported(Path.of('dryRun'), values, ['All'])] : [];
}

function throwInvalid(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** DeleteOptions of the body, or without a body of the query. Models ValidateDeleteOptions. Throws 400, 422. */
export function deleteOptions(query: Query, body: DeleteOptions | undefined): DeleteOptions {
  const options: DeleteOptions = body ? { ...body } : {};
  if (!body) {
    const grace = query.integer('gracePeriodSeconds');
    if (grace !== undefined) options.gracePeriodSeconds = grace;
    if (query.get('orphanDependents') !== null) options.orphanDependents = query.flag('orphanDependents');
    if (query.get('propagationPolicy') !== null) options.propagationPolicy = query.text('propagationPolicy');
    const dryRun = query.all('dryRun');
    if (dryRun.length) options.dryRun = [...dryRun];
  }
  const { propagationPolicy: policy, orphanDependents, dryRun = [] } = options;
  const errors = dryRunErrors(dryRun);
  if (policy !== undefined && orphanDependents !== undefined)
    errors.push(
      invalidValue(Path.of('propagationPolicy'), policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy))
    errors.push(notSupported(Path.of('propagationPolicy'), policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  throwInvalid('DeleteOptions', errors);
  return options;
}

export interface ListOptions {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continueToken: string;
  readonly limit: number;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/** Models ListOptions and its validation. Throws 400, 422. */
export function listOptions(query: Query, watch: boolean): ListOptions {
  const options: ListOptions = {
    resourceVersion: query.text('resourceVersion'),
    resourceVersionMatch: query.text('resourceVersionMatch'),
    continueToken: query.text('continue'),
    limit: Math.max(0, query.integer('limit') ?? 0),
    sendInitialEvents: query.get('sendInitialEvents') === null ? undefined : query.flag('sendInitialEvents'),
    allowWatchBookmarks: query.flag('allowWatchBookmarks'),
    timeoutSeconds: query.integer('timeoutSeconds'),
  };
  throwInvalid('ListOptions', watch ? watchErrors(options) : listErrors(options));
  return options;
}

const MATCH = Path.of('resourceVersionMatch');

function listErrors(o: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = o.resourceVersionMatch;
  if (match) {
    if (!o.resourceVersion)
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (o.continueToken)
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && o.resourceVersion === '0')
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (o.sendInitialEvents !== undefined)
    errors.push(forbiddenField(Path.of('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors(o: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = o.resourceVersionMatch;
  if (o.sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(forbiddenField(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  if (o.continueToken)
    errors.push(forbiddenField(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
  if (!match) return errors;
  if (o.sendInitialEvents === undefined)
    errors.push(
      forbiddenField(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
  return errors;
}

/** A resourceVersion as a number; undefined when unset. Throws 400 in upstream's words. */
export function parseRevision(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${/^\d+$/.test(text) ? 'value out of range' : 'invalid syntax'}`;
  throw badRequest(`invalid resource version: ${invalidValue(Path.of('resourceVersion'), text, why).message}`);
}
