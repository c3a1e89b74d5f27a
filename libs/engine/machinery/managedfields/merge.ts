import { isObject } from '../meta/object.js';
import {
  isVoid,
  itemElement,
  resolve,
  typeOfField,
  type Fields,
  type FieldsType,
  type ListType,
  type MapType,
} from './type.js';

/**
 * The live value with a configuration laid over it. Shares what the configuration does not name. Models typed/merge.go.
 */
export function mergeFields(live: unknown, config: unknown, type: FieldsType): unknown {
  if (config === undefined) return live;
  if (live === undefined || (isVoid(live) && isVoid(config))) return config;
  const known = resolve(type, isVoid(config) ? live : config);
  if (known.kind === 'scalar' || known.atomic) return config;
  if (known.kind === 'map') return mergeMaps(isObject(live) ? live : {}, isObject(config) ? config : {}, known);
  return mergeLists(Array.isArray(live) ? live : [], Array.isArray(config) ? config : [], known);
}

function mergeMaps(live: Fields, config: Fields, type: MapType): Fields {
  const out: { [name: string]: unknown } = { ...live };
  for (const name of Object.keys(config)) {
    if (name === '__proto__') continue;
    out[name] = mergeFields(Object.hasOwn(live, name) ? live[name] : undefined, config[name], typeOfField(type, name));
  }
  return out;
}

/** Items of the configuration stand in its order; the live list's own keep their places among those that both have. */
function mergeLists(live: readonly unknown[], config: readonly unknown[], type: ListType): readonly unknown[] {
  const key = (item: unknown): string => itemElement(type, item) ?? '';
  const left = live.map((item) => ({ item, key: key(item) }));
  const right = config.map((item) => ({ item, key: key(item) }));
  const inLive = new Map<string, unknown>();
  // Items that repeat a key are not merged with: the configuration's takes their place.
  for (const { item, key: k } of left) inLive.set(k, inLive.has(k) ? undefined : item);
  const inConfig = new Set(right.map((x) => x.key));
  const shared = right.map((x) => x.key).filter((k) => inLive.has(k));
  let next = 0;
  const merged = new Set<string>();
  const out: unknown[] = [];
  const take = ({ item, key: k }: { item: unknown; key: string }): void => {
    merged.add(k);
    if (shared[next] === k) next++;
    out.push(mergeFields(inLive.get(k), item, type.element));
  };
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [from, to] = [left[l], right[r]];
    if (from && to && from.key === to.key) {
      take(to);
      l++;
      r++;
      continue;
    }
    if (from && to && inConfig.has(from.key) && next < shared.length && shared[next] !== from.key) {
      l++;
      continue;
    }
    if (from && !inConfig.has(from.key)) {
      out.push(from.item);
      l++;
      continue;
    }
    if (from && merged.has(from.key)) l++;
    if (to) {
      take(to);
      r++;
    }
  }
  return out;
}
