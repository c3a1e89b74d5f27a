import type { CustomResourceDefinition } from '../../../api/apiextensions_v1.js';
import { isKnownFormat } from '../../../extensions/schema/formats.js';
import type { StructuralSchema } from '../../../extensions/schema/structural-schema.js';

/**
 * Formats that are ignored are told of once each. Models apiextensions-apiserver/pkg/registry/customresourcedefinition.
 */
export function formatWarnings(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): string[] {
  const before = old ? unknownFormats(old) : new Set<string>();
  return [...unknownFormats(crd)]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function unknownFormats({ spec }: CustomResourceDefinition): Set<string> {
  const found = new Set<string>();
  const pending = (spec.versions ?? []).flatMap(
    (v) => (v.schema?.openAPIV3Schema as StructuralSchema | undefined) ?? [],
  );
  for (let schema = pending.pop(); schema; schema = pending.pop()) {
    const { type, format, properties, items, additionalProperties: rest } = schema;
    if (format && !isKnownFormat(type, format)) found.add(format);
    pending.push(
      ...Object.values(properties ?? {}),
      ...(items && !Array.isArray(items) ? [items] : []),
      ...(typeof rest === 'object' ? [rest] : []),
    );
  }
  return found;
}
