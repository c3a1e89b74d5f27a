import { deepEqual } from '../machinery/equal.js';
import type { BodyResponse } from '../machinery/http.js';
import { applyFields, checkFields, entriesOf, isFields, ownersOf, trackUpdate, type Fields, type Owners } from '../machinery/managedfields/index.js';
import { apiVersionOf, type KubeObject, type Unstructured } from '../machinery/object.js';
import { ApiError, badRequest, conflict, notFound } from '../machinery/status.js';
import { decodeUtf8 } from '../machinery/utf8.js';
import { ownedType } from '../runtime/attribution.js';
import { normalize, parseYaml, scanJson } from '../schema/index.js';
import { applyConflict, LAST_APPLIED, lastAppliedOf, withoutLastApplied } from './apply-conflict.js';
import { requireCreate } from './authorize.js';
import { keyOfCall, untracked, type Call } from './call.js';
import { bodyOf, complete } from './codec.js';
import { checkName, placeInNamespace } from './mutate.js';
import { mutationOptions, type MutationOptions } from './options.js';
import { ownedWrite, setEntries } from './ownership.js';
import { wholeInVersion } from './print.js';
import { objectResponse } from './respond.js';

export const APPLY_PATCH = 'application/apply-patch+yaml';
/** Owns what an object has that nobody was known to own before the first apply. */
const BEFORE = 'before-first-apply';
const KUBECTL = 'kubectl';

/** PATCH with a configuration: server-side apply. Models handlers/patch.go applyPatcher and managedfields' chain of managers. */
export function apply(call: Call): BodyResponse {
  const options = mutationOptions('PatchOptions', call.query, true);
  const config = configOf(call, options);
  const stored = call.server.state.get(call.kind, keyOfCall(call));
  if (!stored && call.subresource) throw notFound(call.kind, call.name);
  const live = stored && wholeInVersion(call.kind, stored);
  const draft = applied(call, config, live, options);
  const { writer } = call.server;
  const written = untracked(call, options.dryRun);
  if (live) return objectResponse(call, 200, writer.update(call.kind, draft, written, call.subresource));
  if (draft.metadata.uid) {
    throw conflict(call.kind, call.name, `uid mismatch: the provided object specified uid ${draft.metadata.uid}, and no existing object was found`);
  }
  requireCreate(call);
  const { resourceVersion: _none, ...metadata } = draft.metadata;
  return objectResponse(call, 201, writer.create(call.kind, { ...draft, metadata } as KubeObject, written));
}

/** The object as it is to be, with its owners. Throws 409 for conflicts. */
function applied(call: Call, config: Unstructured, live: KubeObject | undefined, options: MutationOptions): KubeObject {
  const { kind } = call;
  const write = ownedWrite({ kind, manager: options.fieldManager, subresource: call.subresource }, call.now);
  const owners = ownersBefore(call, live);
  const result = applyFields(live ?? {}, config, owners, write, options.force);
  if (result.conflicts.length > 0) {
    const left = options.fieldManager === KUBECTL && live ? withoutLastApplied(result.conflicts, live, write.type, write.apiVersion) : result.conflicts;
    if (left.length > 0) throw applyConflict(left);
    return applied(call, config, live, { ...options, force: true });
  }
  const object = (result.object ?? live) as Unstructured;
  const known = result.object === undefined ? object : normalize(object, kind.definition, { strict: false, expected: kind }).value;
  const draft = complete(kind.definition, { ...known, metadata: { ...known.metadata } });
  placeInNamespace(call, draft);
  checkName(call, draft);
  const entries = entriesOf(owners);
  setEntries(draft, live && deepEqual(entries, live.metadata.managedFields) ? live.metadata.managedFields : entries);
  if (options.fieldManager === KUBECTL && draft.metadata.annotations?.[LAST_APPLIED]) {
    draft.metadata.annotations = { ...draft.metadata.annotations, [LAST_APPLIED]: lastAppliedOf(config) };
  }
  return draft;
}

function ownersBefore(call: Call, live: KubeObject | undefined): Owners {
  const owners = ownersOf(live?.metadata.managedFields);
  if (live && owners.size === 0) trackUpdate({}, live, owners, ownedWrite({ kind: call.kind, manager: BEFORE }, call.now));
  return owners;
}

/** The body: an object of the call's kind, typed as its schema says. Throws 400. */
function configOf(call: Call, { fieldValidation }: MutationOptions): Unstructured {
  const { kind } = call;
  const config = parse(call, fieldValidation);
  const { apiVersion, kind: kindName, metadata } = config;
  if (apiVersion !== apiVersionOf(kind.group, kind.version) || kindName !== kind.kind) throw badRequest(`invalid object type: ${typeText(apiVersion, kindName)}`);
  if (isFields(metadata) && metadata['managedFields'] !== undefined && metadata['managedFields'] !== null) throw badRequest('metadata.managedFields must be nil');
  const errors = checkFields(config, ownedType(kind));
  if (errors.length > 0) throw untyped(call, config, errors);
  return config as Unstructured;
}

/** 'apps/v1, Kind=Deployment', '/v1, Kind=Pod', and '/, Kind=' when the body does not say. */
function typeText(apiVersion: unknown, kind: unknown): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  return `${version.includes('/') ? version : `/${version}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** Upstream answers 500 without a reason; the text is the same. */
function untyped({ kind }: Call, config: Fields, errors: readonly string[]): ApiError {
  const { name, namespace } = isFields(config['metadata']) ? config['metadata'] : ({} as Fields);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const why = errors.length === 1 ? errors[0] : `errors:\n${errors.map((e) => `  ${e}`).join('\n')}`;
  const message = `failed to create typed patch object (${text(namespace)}/${text(name)}; ${typeText(config['apiVersion'], kind.kind)}): ${why}`;
  return new ApiError(400, '', message, {});
}

function parse(call: Call, validation: MutationOptions['fieldValidation']): Fields {
  const text = decodeUtf8(bodyOf(call));
  const json = text.startsWith('{') ? plainJson(text) : undefined;
  if (json) return json;
  const { value, error, repeated } = parseYaml(text);
  if (error !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error}`);
  if (!isFields(value)) throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value} into Go value of type map[string]interface {}`);
  if (repeated.length > 0 && validation !== 'Ignore') {
    const why = `error converting YAML to JSON: yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`;
    if (validation === 'Strict') throw badRequest(`error strict decoding YAML: ${why}`);
    call.warnings.push(why);
  }
  return value;
}

/** Most bodies are JSON, which is YAML too but much quicker to read. Undefined: let the YAML parser look, and complain. */
function plainJson(text: string): Fields | undefined {
  let repeats = false;
  try {
    scanJson(text, (_path, repeated) => void (repeats ||= repeated));
    return repeats ? undefined : (JSON.parse(text) as Fields);
  } catch {
    return undefined;
  }
}
