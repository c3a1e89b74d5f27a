import type { PatchField, PatchType } from '../../machinery/patch/strategic.js';
import { definition, elementDefinition, type Definition, type Field, type FieldType } from './definitions.js';

/** How a merge treats one field. */
export interface MergeRule {
  /** Definition of the value, or of the elements of a list or map. */
  readonly definition?: string;
  readonly shape: 'scalar' | 'object' | 'list' | 'map';
  readonly listType?: Field['listType'];
  readonly mapKeys?: readonly string[];
  readonly mapType?: Field['mapType'];
  readonly strategies: readonly string[];
  readonly mergeKey?: string;
}

export function mergeRule(definitionName: string, fieldName: string): MergeRule | undefined {
  const fields = definition(definitionName)?.fields;
  const field = fields && Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined;
  if (!field) return undefined;
  const element = elementDefinition(field.type);
  const target = element === undefined ? undefined : definition(element);
  return {
    ...(target?.fields ? { definition: element } : {}),
    shape: shapeOf(field.type, target),
    listType: field.listType,
    mapKeys: field.mapKeys,
    mapType: field.mapType ?? target?.mapType,
    strategies: field.patchStrategy?.split(',') ?? [],
    mergeKey: field.patchMergeKey,
  };
}

function shapeOf(type: FieldType, target: Definition | undefined): MergeRule['shape'] {
  if (typeof type !== 'string') return '*' in type ? 'map' : 'list';
  return target?.fields || target?.type === 'object' ? 'object' : 'scalar';
}

// oxlint-disable-next-line house/no-module-state -- by the name of a built-in type
const patchTypes = new Map<string, PatchType | undefined>();

/** A built-in type as strategic merge patch needs to know it; undefined when the definition is not in the facts. */
export function patchType(definitionName: string): PatchType | undefined {
  if (!patchTypes.has(definitionName))
    patchTypes.set(definitionName, definition(definitionName)?.fields ? makePatchType(definitionName) : undefined);
  return patchTypes.get(definitionName);
}

function makePatchType(definitionName: string): PatchType {
  const fields = new Map<string, PatchField>();
  return {
    field(name) {
      const known = fields.get(name);
      if (known) return known;
      const rule = mergeRule(definitionName, name);
      if (!rule) return undefined;
      const isMap = rule.shape === 'map';
      const type = rule.definition === undefined ? undefined : patchType(rule.definition);
      const field: PatchField = {
        type: isMap && type ? { field: () => ({ type, strategies: [] }) } : type,
        strategies: rule.strategies,
        mergeKey: rule.mergeKey,
      };
      fields.set(name, field);
      return field;
    },
  };
}
