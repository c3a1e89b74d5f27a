import { type Bytes, textOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { reasonOf } from '../../../../engine/node/cni/http-bytes.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { marshal } from '../../../servers/go.js';
import { buildKustomization } from '../kustomize/build.js';
import { matchesLabels } from '../kustomize/transform/select.js';
import { KubectlFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';
import { apiVersionOf, type ServerResource } from './resources.js';

/** An object of a file. */
export interface FileObject {
  readonly resource: ServerResource;
  readonly name: string;
  readonly namespace: string;
  readonly object: ApiObject;
  /** The file as messages name it; 'STDIN'. */
  readonly source: string;
}

const EXTENSIONS = ['.json', '.yaml', '.yml'];
const MAX_FILES = 200;
const MAX_OBJECTS = 500;

/** What stands in the files of -f, in their order. Throws KubectlFailure. */
export function loadFiles(session: Session): FileObject[] {
  const { flags } = session;
  if (flags.has('kustomize')) return loadKustomization(session);
  const names = flags.list('filename').flatMap((path) => filesOf(session, path));
  const found: FileObject[] = [];
  for (const path of names.slice(0, MAX_FILES)) {
    const [text, source] = readSource(session, path);
    for (const object of readDocuments(text, source, isValidating(session)))
      found.push(mapObject(session, object, source));
  }
  if (flags.has('filename') && found.length === 0) throw new KubectlFailure('no objects passed to ' + verbOf(session));
  return found.slice(0, MAX_OBJECTS);
}

/** The text of a file, of standard input or of a URL, and how messages name it. */
function readSource(session: Session, path: string): [text: string, source: string] {
  if (path === '-') return [session.stdin(), 'STDIN'];
  return [URL.test(path) ? readUrl(session, path) : session.readFile(path), path];
}

const URL = /^https?:\/\//;

/** Models k8s.io/cli-runtime/pkg/resource readHttpWithRetries. */
function readUrl(session: Session, url: string): string {
  const { status, bytes } = session.fetchUrl(url);
  if (status === 200) return textOf(bytes);
  throw new KubectlFailure(
    status === 0
      ? `unable to read URL "${url}": dial tcp: the network of the cluster is closed`
      : `unable to read URL "${url}", server reported ${status} ${reasonOf(status)}, status code=${status}`,
  );
}

/** What -k means, in the order of its resources. Throws KubectlFailure. */
function loadKustomization(session: Session): FileObject[] {
  const { flags, sys } = session;
  if (flags.has('filename')) throw new KubectlFailure("only one of '-f' or '-k' can be specified");
  const folder = flags.value('kustomize');
  const objects = buildKustomization(sys, folder, {
    isSorted: false,
    warn: (line) => session.err(`${line}\n`),
    fetch: (url) => fetchOrNothing(session, url),
  });
  if (objects.length === 0) throw new KubectlFailure('no objects passed to ' + verbOf(session));
  return objects.slice(0, MAX_OBJECTS).map((object) => mapObject(session, object, folder));
}

/** The bytes of a file of the web; undefined: it cannot be had. */
export function fetchOrNothing(session: Session, url: string): Bytes | undefined {
  const { status, bytes } = session.fetchUrl(url);
  return status === 200 ? bytes : undefined;
}

/** Those whose own labels -l means. */
export const chooseFiles = ({ flags }: Session, files: readonly FileObject[]): FileObject[] =>
  files.filter(({ object }) => matchesLabels(flags.value('selector'), object.metadata?.labels));

const verbOf = ({ path }: Session): string => path.split(' ').at(-1) ?? '';

function filesOf(session: Session, path: string): string[] {
  if (path === '-' || URL.test(path)) return [path];
  const { sys } = session;
  try {
    if (sys.stat(path).type !== 'directory') return [path];
    const names = sys.readDirectory(path).filter((name) => EXTENSIONS.some((end) => name.endsWith(end)));
    return names.map((name) => `${path.replace(/\/$/, '')}/${name}`);
  } catch (error) {
    if (error instanceof SystemError) return [path];
    throw error;
  }
}

const hasContent = (part: string): boolean =>
  part.split('\n').some((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));

const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** Commands that validate what they read; any other one only decodes it. */
const VALIDATING = ['apply', 'create', 'replace'];
const isValidating = (session: Session): boolean => VALIDATING.includes(verbOf(session));

/** YAML documents, or JSON; lists as their items. Throws KubectlFailure. */
export function readDocuments(text: string, source: string, validates = true): ApiObject[] {
  const parts = text.split(/^---(?:[ \t].*)?$/m).filter((part) => hasContent(part));
  return parts.flatMap((part) => {
    const parsed = parseYaml(part);
    if (parsed.error !== undefined)
      throw new KubectlFailure(`error parsing ${source}: error converting YAML to JSON: ${parsed.error}`);
    const value = parsed.value;
    if (value === null || value === undefined) return [];
    if ((typeof value !== 'object' || Array.isArray(value)) && !validates)
      throw new KubectlFailure(
        `unable to decode "${source}": json: cannot unmarshal ${jsonType(value)} into Go value of type unstructured.detector`,
      );
    if (typeof value !== 'object' || Array.isArray(value))
      throw new KubectlFailure(
        `error validating "${source}": error validating data: invalid object to validate; if you choose to ignore these errors, turn validation off with --validate=false`,
      );
    const object = value as ApiObject;
    return object.kind === 'List' && Array.isArray(object['items']) ? (object['items'] as ApiObject[]) : [object];
  });
}

function mapObject(session: Session, object: ApiObject, source: string): FileObject {
  const { apiVersion = '', kind = '', metadata = {} } = object;
  const { name = '', namespace = '' } = metadata;
  const missing = [...(apiVersion === '' ? ['apiVersion not set'] : []), ...(kind === '' ? ['kind not set'] : [])];
  if (kind === '' && !isValidating(session))
    throw new KubectlFailure(`unable to decode "${source}": Object 'Kind' is missing in '${marshal(object)}'`);
  if (missing.length > 0 && isValidating(session))
    throw new KubectlFailure(
      `error validating "${source}": error validating data: ${missing.length > 1 ? `[${missing.join(', ')}]` : missing[0]}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  const resource = session.resources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
  if (!resource)
    throw new KubectlFailure(
      `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  const own = session.flags.value('namespace');
  if (own !== '' && namespace !== '' && own !== namespace && resource.isNamespaced)
    throw new KubectlFailure(
      `the namespace from the provided object "${namespace}" does not match the namespace "${own}". You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  return { resource, name, namespace: resource.isNamespaced ? namespace || session.namespace : '', object, source };
}
