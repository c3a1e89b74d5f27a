import { parseAddress, parsePrefix } from '../../../machinery/net/netip.js';

/** One network that a pod asks for. Models network-attachment-definition-client's NetworkSelectionElement. */
export interface Selection {
  readonly name: string;
  readonly namespace: string;
  readonly interface?: string;
  readonly ips?: readonly string[];
  readonly mac?: string;
  readonly defaultRoute?: readonly string[];
}

export type Selections = { readonly networks: readonly Selection[] } | { readonly error: string };

/** Networks that a pod may ask for. */
const MAX_NETWORKS = 32;
const MAX_INTERFACE_NAME = 15;
const BY_JSON = /[[{"]/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const NOT_IN_NAMES = /[ \t\n\v\f\r/]/;
const MAC = /^(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/;
const IN_PARSE = 'parsePodNetworkAnnotation: ';

/** Reads the annotation of a pod. Models multus-cni's pkg/k8sclient parsePodNetworkAnnotation. */
export function parseSelections(text: string, namespace: string): Selections {
  const read = BY_JSON.test(text) ? readJson(text) : readNames(text);
  if ('error' in read) return read;
  const networks = read.networks
    .slice(0, MAX_NETWORKS)
    .map((one) => ({ ...one, namespace: one.namespace === '' ? namespace : one.namespace }));
  const error = networks.map(findMistake).find((found) => found !== undefined);
  return error === undefined ? { networks } : { error };
}

function readJson(text: string): Selections {
  const failed = (why: string): Selections => ({
    error: `${IN_PARSE}failed to parse pod Network Attachment Selection Annotation JSON format: ${why}`,
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  if (!Array.isArray(value))
    return failed(`json: cannot unmarshal ${typeof value} into Go value of type []*types.NetworkSelectionElement`);
  return { networks: (value as unknown[]).map(readElement) };
}

function readElement(value: unknown): Selection {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const list = (name: string): readonly string[] | undefined =>
    Array.isArray(fields[name])
      ? (fields[name] as unknown[]).filter((one): one is string => typeof one === 'string')
      : undefined;
  const [ips, defaultRoute] = [list('ips'), list('default-route')];
  return {
    ...{ name: text('name'), namespace: text('namespace') },
    ...(text('interface') === '' ? {} : { interface: text('interface') }),
    ...(text('mac') === '' ? {} : { mac: text('mac') }),
    ...(ips ? { ips } : {}),
    ...(defaultRoute ? { defaultRoute } : {}),
  };
}

function readNames(text: string): Selections {
  const networks: Selection[] = [];
  for (const item of text.split(',', MAX_NETWORKS)) {
    const read = readName(item.trim());
    if ('error' in read) return { error: `${IN_PARSE}parsePodNetworkObjectName: ${read.error}` };
    networks.push(read);
  }
  return { networks };
}

/** 'namespace/name@interface' */
function readName(text: string): Selection | { readonly error: string } {
  const parts = text.split('/');
  if (parts.length > 2) return { error: "Invalid network object (failed at '/')" };
  const namespace = parts.length === 2 ? (parts[0] ?? '').trim() : '';
  const [name = '', wanted = '', ...rest] = (parts.at(-1) ?? '').split('@').map((part) => part.trim());
  if (rest.length > 0) return { error: "Invalid network object (failed at '@')" };
  const wrong = [namespace, name].find((part) => part !== '' && !LABEL.test(part));
  if (wrong !== undefined)
    return {
      error:
        'Failed to parse: one or more items did not match comma-delimited format (must consist of lower case ' +
        `alphanumeric characters). Must start and end with an alphanumeric character), mismatch @ '${wrong}'`,
    };
  if (wanted.length > MAX_INTERFACE_NAME || NOT_IN_NAMES.test(wanted))
    return {
      error:
        "Failed to parse interface name: must be less than 15 chars and not contain '/' or spaces. " +
        `interface name '${wanted}'`,
    };
  return { name, namespace, ...(wanted === '' ? {} : { interface: wanted }) };
}

function findMistake({ mac, ips = [] }: Selection): string | undefined {
  if (mac !== undefined && !MAC.test(mac)) return `${IN_PARSE}failed to mac: address ${mac}: invalid MAC address`;
  for (const ip of ips) {
    if (ip.includes('/') && !parsePrefix(ip))
      return `failed to parse CIDR ${JSON.stringify(ip)}: invalid CIDR address: ${ip}`;
    if (!ip.includes('/') && !parseAddress(ip)) return `failed to parse IP address ${JSON.stringify(ip)}`;
  }
  return undefined;
}
