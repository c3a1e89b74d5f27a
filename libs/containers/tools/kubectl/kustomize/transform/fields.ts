import type { KubeJson } from '../../session/session.js';
import { idOf, isMap, type Id, type Resource } from '../resource.js';

/** Where a transformer writes: models api/types FieldSpec. */
export interface FieldSpec {
  /** `spec/template/metadata/labels`; lists on the way need no sign of their own. */
  readonly path: string;
  readonly create?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** What is to stand where a path ends. */
export type Change = (value: unknown) => unknown;

export const isSelected = (
  id: Pick<Id, 'group' | 'version' | 'kind'>,
  { group, version, kind }: Pick<FieldSpec, 'group' | 'version' | 'kind'>,
): boolean => (!kind || kind === id.kind) && (!group || group === id.group) && (!version || version === id.version);

/**
 * Changes the values at the end of a path, in each entry of the lists on it. What is not there is made when `empty`
 * says what it begins as. Models api/filters/fieldspec.
 */
export function changeField(resource: Resource, spec: FieldSpec, change: Change, empty?: () => unknown): void {
  if (!isSelected(idOf(resource), spec)) return;
  const steps = spec.path.split(/(?<!\\)\//).map((step) => step.replaceAll('\\/', '/'));
  walk(resource.object, steps, change, spec.create ? empty : undefined);
}

function walk(value: unknown, [step, ...rest]: readonly string[], change: Change, empty?: () => unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, [step!, ...rest], change, empty);
    return;
  }
  if (!isMap(value) || step === undefined) return;
  const name = step.replace(/\[\]$/, '');
  const canMake = empty !== undefined && name === step;
  if (value[name] === undefined || value[name] === null) {
    if (!canMake) return;
    value[name] = rest.length === 0 ? empty() : {};
  }
  if (rest.length === 0) value[name] = change(value[name]);
  else walk(value[name], rest, change, empty);
}

/** Adds pairs to a map of texts. */
export const addPairs =
  (pairs: Readonly<Record<string, string>>): Change =>
  (map) => ({ ...(isMap(map) ? map : {}), ...pairs });

export const emptyMap = (): KubeJson => ({});
