import { bytesOf, textOf, toArray, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { encodeBase64 } from '../../../../../engine/machinery/text/base64.js';
import type { KubeJson } from '../../session/session.js';
import { KustomizeFailure, within } from '../failure.js';
import type { Files } from './files.js';
import type { GeneratorArguments, GeneratorOptions } from './kustomization.js';
import { type Behavior, newResource, type Resource } from '../resource.js';

const LINE = 70;
const KEY = /^[-._a-zA-Z0-9]+$/;
const ENV_NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** A ConfigMap or Secret from literals, files and files of variables. Models api/internal/generators. */
export function generate(
  kind: 'ConfigMap' | 'Secret',
  files: Files,
  root: string,
  given: GeneratorArguments,
  common: GeneratorOptions = {},
): Resource {
  const { name = '', namespace, behavior = 'unspecified', options = {} } = given;
  if (name === '') throw new KustomizeFailure('a configmap must have a name');
  const labels = { ...common.labels, ...options.labels };
  const annotations = { ...common.annotations, ...options.annotations };
  const isImmutable = common.immutable === true || options.immutable === true;
  const pairs = readPairs(files, root, name, given);
  const object: KubeJson = {
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name, ...(namespace ? { namespace } : {}) },
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    ...(kind === 'Secret' ? { type: given.type || 'Opaque', ...secretData(pairs) } : configData(pairs)),
    ...(isImmutable ? { immutable: true } : {}),
  };
  const isPlain = common.disableNameSuffixHash === true || options.disableNameSuffixHash === true;
  return newResource(object, behaviorOf(behavior), !isPlain);
}

const BEHAVIORS: readonly string[] = ['create', 'merge', 'replace'];
const behaviorOf = (text: string): Behavior => (BEHAVIORS.includes(text) ? (text as Behavior) : 'unspecified');

type Pairs = readonly (readonly [string, Bytes])[];

const secretData = (pairs: Pairs): KubeJson =>
  pairs.length === 0 ? {} : { data: Object.fromEntries(pairs.map(([key, bytes]) => [key, inLines(bytes)])) };

function configData(pairs: Pairs): KubeJson {
  const [data, binaryData]: [KubeJson, KubeJson] = [{}, {}];
  for (const [key, bytes] of pairs) {
    const text = textOf(bytes);
    if (bytesOf(text) === bytes) data[key] = text;
    else binaryData[key] = inLines(bytes);
  }
  return {
    ...(Object.keys(data).length > 0 ? { data } : {}),
    ...(Object.keys(binaryData).length > 0 ? { binaryData } : {}),
  };
}

/** Base64; what is longer than a line has ends of lines. */
function inLines(bytes: Bytes): string {
  const text = encodeBase64(toArray(bytes));
  if (text.length < LINE) return text;
  return text.replace(new RegExp(`.{1,${LINE}}`, 'g'), '$&\n');
}

/** Models api/kv: variables first, then literals, then files. */
function readPairs(files: Files, root: string, name: string, given: GeneratorArguments): Pairs {
  const { literals = [], envs = [], env } = given;
  const sources = [...envs, ...(env ? [env] : [])];
  const pairs = within('loading KV pairs', () => [
    ...within(`env source files: [${sources.join(' ')}]`, () =>
      sources.flatMap((path) => readVariables(files.load(root, path))),
    ),
    ...within(`literal sources [${literals.join(' ')}]`, () => literals.map(readLiteral)),
    ...within(`file sources: [${(given.files ?? []).join(' ')}]`, () =>
      (given.files ?? []).map((source) => readFileSource(files, root, source)),
    ),
  ]);
  const seen = new Set<string>();
  for (const [key] of pairs) {
    if (!KEY.test(key) || key.length > 253)
      throw new KustomizeFailure(
        `${JSON.stringify(key)} is not a valid key name: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      );
    if (seen.has(key)) throw new KustomizeFailure(`configmap ${name} illegally repeats the key \`${key}\``);
    seen.add(key);
  }
  return pairs;
}

function readLiteral(source: string): [string, Bytes] {
  const at = source.indexOf('=');
  if (at <= 0) throw new KustomizeFailure(`invalid literal source ${source}, expected key=value`);
  const value = source.slice(at + 1);
  const isQuoted = value.length > 1 && value[0] === value.at(-1) && /["']/.test(value[0]!);
  return [source.slice(0, at), bytesOf(isQuoted ? value.slice(1, -1) : value)];
}

function readFileSource(files: Files, root: string, source: string): [string, Bytes] {
  const parts = source.split('=');
  if (parts.length > 2)
    throw new KustomizeFailure(`source ${JSON.stringify(source)} key name or file path contains '='`);
  const [key = '', path = source] = parts.length === 2 ? parts : [source.slice(source.lastIndexOf('/') + 1)];
  if (key === '')
    throw new KustomizeFailure(
      `missing key name for file path ${JSON.stringify(path)} in source ${JSON.stringify(source)}`,
    );
  if (path === '')
    throw new KustomizeFailure(
      `missing file path for key name ${JSON.stringify(key)} in source ${JSON.stringify(source)}`,
    );
  return [key, files.load(root, path)];
}

function readVariables(bytes: Bytes): [string, Bytes][] {
  return bytes.split(/\r?\n/).flatMap((line) => {
    const text = line.trimStart();
    if (text === '' || text.startsWith('#')) return [];
    const [key = '', ...rest] = text.split('=');
    if (!ENV_NAME.test(key))
      throw new KustomizeFailure(
        `${JSON.stringify(key)} is not a valid key name: a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')`,
      );
    return [[key, rest.join('=')] as [string, Bytes]];
  });
}
