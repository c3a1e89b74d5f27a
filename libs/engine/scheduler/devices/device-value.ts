import type { Device, DeviceAttribute } from '../../api/resource_v1.js';
import { quantity, semver, type Value } from '../../machinery/cel/index.js';
import { canonicalQuantity } from '../../machinery/quantity/quantity.js';

type Domains = Record<string, Record<string, Value>>;

/** Domains that an expression asks for: one that a device does not have is an empty map to it. */
const ASKED = /\.(?:attributes|capacity)\s*\[\s*["']([^"']+)["']\s*\]/g;

/**
 * A device as selectors see it: names without a domain are in that of its driver. Models
 * dynamic-resource-allocation/cel DeviceMatches.
 */
export function deviceValue(driver: string, device: Device, expression: string): Value {
  const [attributes, capacity]: [Domains, Domains] = [{}, {}];
  for (const [, domain = ''] of expression.matchAll(ASKED)) {
    attributes[domain] = {};
    capacity[domain] = {};
  }
  for (const [name, attribute] of Object.entries(device.attributes ?? {}))
    put(attributes, driver, name, attributeValue(attribute));
  for (const [name, { value }] of Object.entries(device.capacity ?? {}))
    put(capacity, driver, name, quantity(canonicalQuantity(value)));
  const { allowMultipleAllocations = false } = device;
  return { driver, attributes, capacity, allowMultipleAllocations };
}

function put(domains: Domains, driver: string, name: string, value: Value): void {
  const [domain, id] = splitName(name, driver);
  (domains[domain] ??= {})[id] = value;
}

function splitName(name: string, driver: string): readonly [domain: string, id: string] {
  const at = name.indexOf('/');
  return at < 0 ? [driver, name] : [name.slice(0, at), name.slice(at + 1)];
}

function attributeValue({ bool, int, string, version, bools, ints, strings }: DeviceAttribute): Value {
  if (version !== undefined) return semver(version, false);
  if (int !== undefined) return BigInt(int);
  return bool ?? string ?? bools ?? ints ?? strings ?? [];
}

/** An attribute by its full name; undefined: the device does not have it. */
export function findAttribute(driver: string, device: Device, fullName: string): DeviceAttribute | undefined {
  const [domain, id] = splitName(fullName, driver);
  return device.attributes?.[fullName] ?? (domain === driver ? device.attributes?.[id] : undefined);
}
