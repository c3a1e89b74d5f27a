import { compilePattern } from '../../../../../engine/machinery/text/regex.js';
import { KustomizeFailure } from '../failure.js';
import type { Selector } from '../input/kustomization.js';
import { firstId, idOf, isMap, namespaceOf, type Resource } from '../resource.js';

/** The resources that a selector means: each of its fields is a pattern for all of a value. Models resmap Select. */
export function selectResources(resources: readonly Resource[], selector: Selector): Resource[] {
  const fits = (pattern: string | undefined, ...values: readonly string[]): boolean => {
    if (!pattern) return true;
    const compiled = compilePattern(`^(?:${pattern})$`);
    if (!compiled) throw new KustomizeFailure(`error parsing regexp: ${pattern}`);
    return values.some((value) => compiled.test(value));
  };
  return resources.filter((resource) => {
    const [first, now] = [firstId(resource), idOf(resource)];
    const metadata = isMap(resource.object['metadata']) ? resource.object['metadata'] : {};
    return (
      fits(selector.namespace, namespaceOf(first), namespaceOf(now)) &&
      fits(selector.name, first.name, now.name) &&
      fits(selector.group, now.group) &&
      fits(selector.version, now.version) &&
      fits(selector.kind, now.kind) &&
      matchesLabels(selector.labelSelector, metadata['labels']) &&
      matchesLabels(selector.annotationSelector, metadata['annotations'])
    );
  });
}

/** `a=b,c!=d,e,!f,g in (h,i)`. */
export function matchesLabels(selector: string | undefined, map: unknown): boolean {
  const values = isMap(map) ? map : {};
  const parts = splitParts(selector ?? '');
  return parts.every((part) => {
    if (part === '') return true;
    const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(part);
    if (set) {
      const has = set[3]!.split(',').some((one) => one.trim() === values[set[1]!]);
      return (set[2] === 'in') === has;
    }
    const [, key = '', operator, value = ''] = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(part) ?? [];
    if (operator === undefined)
      return part.startsWith('!') ? values[part.slice(1)] === undefined : values[part] !== undefined;
    return operator === '!=' ? values[key] !== value : values[key] === value;
  });
}

/** At commas, but for those in parentheses. */
function splitParts(selector: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of selector) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
