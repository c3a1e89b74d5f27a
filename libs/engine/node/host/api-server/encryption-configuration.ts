import type {
  EncryptedResources,
  EncryptionProvider,
  EncryptionType,
} from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { decodeBase64 } from '../../../machinery/text/base64.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { digestOf } from '../../digest.js';
import {
  aggregate,
  decodeConfig,
  findTypeError,
  isObject,
  readMounted,
  type Mounted,
  type Read,
} from './config-file.js';

const SCHEME = {
  kind: 'EncryptionConfiguration',
  versions: ['apiserver.config.k8s.io/v1'],
  source: 'k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go:390',
};
const KEY_BYTES: Readonly<Record<string, readonly number[]>> = {
  aesgcm: [16, 24, 32],
  aescbc: [16, 24, 32],
  secretbox: [32],
};
const PROVIDERS = ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'];
const NOT_REST = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];
const NO_PROVIDER = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
const SEVERAL = 'more than one provider specified in a single element, should split into different list elements';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Entries that are looked at. */
const MAX_ENTRIES = 100;

type Fields = Readonly<Record<string, unknown>>;

/**
 * What an EncryptionConfiguration encrypts; empty without one. Models
 * apiserver/pkg/server/options/encryptionconfig LoadEncryptionConfig, and its validation.
 */
export function readEncryption(flags: ReadonlyMap<string, string>, mounted: Mounted): Read<EncryptedResources[]> {
  const path = flags.get('encryption-provider-config') ?? '';
  if (path === '') return { value: [] };
  const text = readMounted(path, mounted);
  if (text.failure !== undefined)
    return failing(`error opening encryption provider configuration file ${JSON.stringify(path)}: ${text.failure}`);
  if (text.value === '') return failing(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
  const parsed = parseEncryption(text.value);
  return parsed.failure === undefined ? parsed : failing(parsed.failure);
}

const failing = (failure: string): { readonly failure: string } => ({
  failure: `error while parsing file: ${failure}`,
});

export function parseEncryption(text: string): Read<EncryptedResources[]> {
  const decoded = decodeConfig(text, SCHEME);
  if (decoded.failure !== undefined) return decoded;
  const wrong = findTypeError('EncryptionConfiguration', decoded.value, { resources: '[]v1.ResourceConfiguration' });
  if (wrong !== undefined) return { failure: wrong };
  const entries = ((decoded.value['resources'] ?? []) as Fields[]).slice(0, MAX_ENTRIES);
  const wrongEntry = entries
    .map((entry) =>
      findTypeError('ResourceConfiguration.resources', entry, {
        resources: '[]string',
        providers: '[]v1.ProviderConfiguration',
      }),
    )
    .find((error) => error !== undefined);
  if (wrongEntry !== undefined) return { failure: wrongEntry };
  const root = Path.of('resources');
  const errors =
    entries.length === 0
      ? [required(root, 'at least one resources is required')]
      : entries.flatMap((entry, i) => validateEntry(entry, root.index(i)));
  if (errors.length > 0) return { failure: aggregate(errors.map(({ message }) => message)) };
  if (entries.some((entry) => providersOf(entry).some(({ kms }) => isObject(kms))))
    return { failure: 'kms: providers of keys outside of the API server are not simulated' };
  return { value: entries.map(toResources) };
}

const namesOf = ({ resources }: Fields): string[] => (resources ?? []) as string[];
const providersOf = ({ providers }: Fields): Fields[] => (providers ?? []) as Fields[];
const keysOf = (provider: unknown): Fields[] => {
  const keys = (provider as { keys?: unknown }).keys;
  return Array.isArray(keys) ? keys.filter(isObject) : [];
};
const typesOf = (provider: Fields): string[] => PROVIDERS.filter((name) => isObject(provider[name]));

function validateEntry(entry: Fields, at: Path): FieldError[] {
  const [names, providers] = [namesOf(entry), providersOf(entry)];
  const errors: FieldError[] = [];
  for (const [list, path] of [
    [names, at.child('resources')],
    [providers, at.child('providers')],
  ] as const)
    if (list.length === 0) errors.push(required(path, `at least one ${path.toString()} is required`));
  errors.push(...validateOverlap(names, at.child('resources')));
  names.forEach((name, i) => {
    const detail = faultOfName(name);
    if (detail !== undefined) errors.push(invalidValue(at.child('resources').index(i), name, detail));
  });
  providers.forEach((provider, i) => errors.push(...validateProvider(provider, at.child('providers').index(i))));
  return errors;
}

function validateOverlap(names: readonly string[], at: Path): FieldError[] {
  if (new Set(names).size < names.length)
    return [invalidValue(at, names, 'the same resource cannot be specified multiple times')];
  const groupOf = (name: string): string => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '');
  const overlaps = (wide: string): boolean =>
    names.some((name) => name !== wide && (wide === '*.*' || groupOf(name) === groupOf(wide)));
  if (!names.some((name) => name.startsWith('*.') && overlaps(name))) return [];
  const detail =
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
  return [invalidValue(at, names, detail)];
}

function faultOfName(name: string): string | undefined {
  const dot = name.indexOf('.');
  const [resource, group] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (NOT_REST.includes(name)) return 'resources which do not have REST API/s cannot be encrypted';
  if (group === 'events.k8s.io')
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

function validateProvider(provider: Fields, at: Path): FieldError[] {
  const types = typesOf(provider);
  if (types.length === 0) return [invalidValue(at, provider, NO_PROVIDER)];
  if (types.length > 1) return [invalidValue(at, provider, SEVERAL)];
  const type = types[0]!;
  const sizes = KEY_BYTES[type];
  if (!sizes) return [];
  const keys = keysOf(provider[type]);
  const path = at.child(type, 'keys');
  if (keys.length === 0) return [required(path, 'at least one keys is required')];
  return keys.flatMap((key, i) => validateKey(key, path.index(i), sizes));
}

function validateKey({ name, secret }: Fields, at: Path, sizes: readonly number[]): FieldError[] {
  const errors = name ? [] : [required(at.child('name'), 'name is a mandatory field for a key')];
  if (typeof secret !== 'string' || secret === '')
    return [...errors, required(at.child('secret'), 'secret is a mandatory field for a key')];
  if (!BASE64.test(secret))
    return [...errors, invalidValue(at.child('secret'), 'REDACTED', 'secrets must be base64 encoded')];
  const bytes = decodeBase64(secret).length;
  if (sizes.includes(bytes)) return errors;
  const detail = `secret is not of the expected length, got ${bytes}, expected one of [${sizes.join(' ')}]`;
  return [...errors, invalidValue(at.child('secret'), 'REDACTED', detail)];
}

const toResources = (entry: Fields): EncryptedResources => ({
  resources: namesOf(entry),
  providers: providersOf(entry).map((provider): EncryptionProvider => {
    const type = typesOf(provider)[0] as EncryptionType;
    const keys = keysOf(provider[type]);
    return { type, keys: keys.map(({ name, secret }) => ({ name: String(name), digest: digestOf(String(secret)) })) };
  }),
});
