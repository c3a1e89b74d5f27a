import type { KubeJson } from '../../session/session.js';
import { KustomizeFailure } from '../failure.js';
import { changeField, isSelected } from './fields.js';
import { REFERENCES, type ReferenceSpec } from './reference-specs.js';
import { idOf, isClusterScoped, isMap, namespaceOf, type Resource, showId, textIn } from '../resource.js';

/** Names of resources that got other names are written where they are named. Models api/filters/nameref. */
export function fixReferences(resources: readonly Resource[]): void {
  const renamed = resources.filter(({ earlier }) => earlier.length > 0);
  for (const referrer of resources)
    for (const spec of REFERENCES)
      for (const field of spec.fields)
        changeField(referrer, field, (value) => {
          const rename: Rename = { referrer, spec, path: field.path, candidates: renamed };
          if (Array.isArray(value)) return value.map((one: unknown) => changeOne(rename, one));
          return changeOne(rename, value);
        });
}

interface Rename {
  readonly referrer: Resource;
  readonly spec: ReferenceSpec;
  readonly path: string;
  readonly candidates: readonly Resource[];
}

function changeOne(rename: Rename, value: unknown): unknown {
  if (isMap(value)) return changeMap(rename, value);
  if (typeof value !== 'string') return value;
  const found = select(rename, value, rename.candidates);
  return found ? idOf(found).name : value;
}

/** A map with `name` and `namespace`. */
function changeMap(rename: Rename, map: KubeJson): KubeJson {
  const name = textIn(map, 'name');
  const namespace = textIn(map, 'namespace');
  const inNamespace = (which: (one: Resource) => string): Resource[] =>
    rename.candidates.filter((one) => which(one) === namespace);
  const original = inNamespace((one) => namespaceOf(one.earlier[0]!));
  const among =
    map['namespace'] === undefined
      ? rename.candidates
      : original.length > 0
        ? original
        : inNamespace((one) => namespaceOf(idOf(one)));
  const found = select(rename, name, among);
  if (!found) return map;
  const id = idOf(found);
  return { ...map, name: id.name, ...(id.namespace === '' ? {} : { namespace: id.namespace }) };
}

function select({ referrer, spec, path }: Rename, name: string, among: readonly Resource[]): Resource | undefined {
  const own = idOf(referrer);
  const roleRef = path.endsWith('roleRef/name') ? referrer.object['roleRef'] : undefined;
  const candidates = among.filter((one) => {
    const { earlier } = one;
    if (!earlier.some((id) => id.name === name) || !earlier.some((id) => isSelected(id, spec))) return false;
    if (
      isMap(roleRef) &&
      !earlier.some((id) => isSelected(id, { group: textIn(roleRef, 'apiGroup'), kind: textIn(roleRef, 'kind') }))
    )
      return false;
    const id = idOf(one);
    if (isClusterScoped(own) || isClusterScoped(id) || id.kind === 'ServiceAccount') return true;
    return namespaceOf(own) === namespaceOf(id);
  });
  if (candidates.length <= 1) return candidates[0];
  const loosely = candidates.filter((one) => hasSameAffixes(one, referrer, true));
  const near = loosely.length > 1 ? loosely.filter((one) => hasSameAffixes(one, referrer, false)) : loosely;
  if (near.length <= 1) return near[0];
  if (near.every((one) => idOf(one).name === idOf(near[0]!).name)) return near[0];
  throw new KustomizeFailure(`found multiple possible referrals: ${near.map((one) => showId(idOf(one))).join(', ')}`);
}

function hasSameAffixes(a: Resource, b: Resource, allowEmpty: boolean): boolean {
  const isOpen = (x: readonly string[], y: readonly string[]): boolean =>
    allowEmpty && (x.length === 0 || y.length === 0);
  return (
    (isOpen(a.prefixes, b.prefixes) || endAlike(a.prefixes, b.prefixes)) &&
    (isOpen(a.suffixes, b.suffixes) || endAlike(a.suffixes, b.suffixes))
  );
}

function endAlike(a: readonly string[], b: readonly string[]): boolean {
  const count = Math.min(a.length, b.length);
  return a.slice(a.length - count).join('\0') === b.slice(b.length - count).join('\0');
}
