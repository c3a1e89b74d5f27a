import { stringify } from 'yaml';
import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { kubeconfigPath } from '../../session/config.js';
import { KubectlFailure, UsageFailure } from '../../session/failure.js';
import { type Session, writeText } from '../../session/session.js';
import type { Command } from '../command.js';

type Fields = Record<string, unknown>;
type Entry = { name?: string } & Fields;
/** A kubeconfig file that is being changed. */
type Writable = {
  'current-context'?: string;
  clusters?: Entry[] | null;
  contexts?: Entry[] | null;
  users?: Entry[] | null;
} & Fields;
type Section = 'clusters' | 'contexts' | 'users';

/** What an entry of a section holds its fields in. */
const BODY: Readonly<Record<Section, string>> = { clusters: 'cluster', contexts: 'context', users: 'user' };
const MAX_PATH = 20;

/** A command that changes the file, and says so. Models k8s.io/kubectl/pkg/cmd/config. */
const changing = (
  flags: readonly string[],
  change: (session: Session, file: Writable, path: string) => string,
): Command => ({
  flags,
  run(session) {
    const file = structuredClone(session.config.kubeconfig ?? {}) as Writable;
    const path =
      kubeconfigPath(session.sys, session.flags, true) ?? `${session.sys.env['HOME'] ?? '/root'}/.kube/config`;
    const said = change(session, file, path);
    save(session, path, { apiVersion: 'v1', kind: 'Config', ...file });
    session.out(said);
  },
});

function save(session: Session, path: string, value: object): void {
  const { sys } = session;
  const folder = path.slice(0, path.lastIndexOf('/'));
  if (folder !== '' && !sys.access(folder, '')) sys.makeDirectory(folder, 0o750);
  writeText(session, path, stringify(value, { indentSeq: false, lineWidth: 0 }));
}

const useContext = changing([], ({ args }, file) => {
  const [name = ''] = args;
  if (!file.contexts?.some((one) => one.name === name))
    throw new KubectlFailure(`no context exists with the name: "${name}"`);
  file['current-context'] = name;
  return `Switched to context "${name}".\n`;
});

const setContext = changing(['current'], ({ args, flags }, file) => {
  const name = flags.isOn('current') ? (file['current-context'] ?? '') : (args[0] ?? '');
  if (name === '')
    throw new KubectlFailure(
      flags.isOn('current') ? 'no current context is set' : 'you must specify a non-empty context name or --current',
    );
  const isNew = !file.contexts?.some((one) => one.name === name);
  const context = bodyOf(file, 'contexts', name);
  for (const key of ['cluster', 'user', 'namespace']) if (flags.has(key)) context[key] = flags.value(key);
  return `Context "${name}" ${isNew ? 'created' : 'modified'}.\n`;
});

const CLUSTER_FLAGS = ['certificate-authority:', 'embed-certs', 'proxy-url:', 'tls-server-name:'];

const setCluster = changing(CLUSTER_FLAGS, (session, file) => {
  const { flags } = session;
  const name = requireName(session);
  const cluster = bodyOf(file, 'clusters', name);
  for (const key of ['server', 'proxy-url', 'tls-server-name']) if (flags.has(key)) cluster[key] = flags.value(key);
  if (flags.has('insecure-skip-tls-verify')) {
    cluster['insecure-skip-tls-verify'] = flags.isOn('insecure-skip-tls-verify');
    delete cluster['certificate-authority'];
    delete cluster['certificate-authority-data'];
  }
  setFile(session, cluster, 'certificate-authority');
  return `Cluster "${name}" set.\n`;
});

const CREDENTIALS_FLAGS = ['client-certificate:', 'client-key:', 'embed-certs', 'username:', 'password:'];

const setCredentials = changing(CREDENTIALS_FLAGS, (session, file) => {
  const { flags } = session;
  const name = requireName(session);
  const user = bodyOf(file, 'users', name);
  for (const key of ['token', 'username', 'password']) if (flags.has(key)) user[key] = flags.value(key);
  setFile(session, user, 'client-certificate');
  setFile(session, user, 'client-key');
  return `User "${name}" set.\n`;
});

/** A file by its path or, embedded, by what is in it. */
function setFile(session: Session, fields: Fields, name: string): void {
  const { flags, sys } = session;
  const path = flags.value(name);
  if (path === '') return;
  if (flags.isOn('embed-certs')) {
    delete fields[name];
    fields[`${name}-data`] = btoa(bytesOf(session.readFile(path)));
    return;
  }
  delete fields[`${name}-data`];
  fields[name] = path.startsWith('/') ? path : `${sys.cwd()}/${path.replace(/^\.\//, '')}`;
}

const renameContext = changing([], (session, file) => {
  const { args } = session;
  const [from = '', to = ''] = args;
  if (args.length !== 2) throw new UsageFailure('expected old and new names', session.path);
  const context = file.contexts?.find(({ name }) => name === from);
  if (!context) throw new KubectlFailure(`cannot rename the context "${from}", it's not in the kubeconfig file`);
  if (file.contexts?.some(({ name }) => name === to))
    throw new KubectlFailure(`cannot rename the context "${from}", the context "${to}" already exists`);
  context.name = to;
  if (file['current-context'] === from) file['current-context'] = to;
  return `Context "${from}" renamed to "${to}".\n`;
});

const deleting = (section: Section): Command =>
  changing([], (session, file, path) => {
    const [name = ''] = session.args;
    const what = BODY[section];
    const entries = file[section] ?? [];
    if (!entries.some((one) => one.name === name))
      throw new KubectlFailure(`cannot delete ${what} ${name}, not in ${path}`);
    file[section] = entries.filter((one) => one.name !== name);
    if (section === 'contexts' && file['current-context'] === name)
      session.err(
        'warning: this removed your active context, use "kubectl config use-context" to select a different one\n',
      );
    return `deleted ${what} ${name} from ${path}\n`;
  });

const set = changing(['set-raw-bytes'], ({ args }, file) => {
  const [property = '', value = ''] = args;
  const [fields, last] = findProperty(file, property);
  fields[last] = value === 'true' || value === 'false' ? value === 'true' : value;
  return `Property "${property}" set.\n`;
});

const unset = changing([], ({ args }, file) => {
  const [property = ''] = args;
  const [section = '', name, ...rest] = property.split('.');
  if (name !== undefined && rest.length === 0 && Object.hasOwn(BODY, section)) {
    file[section as Section] = (file[section as Section] ?? []).filter((one) => one.name !== name);
    return `Property "${property}" unset.\n`;
  }
  const [fields, last] = findProperty(file, property);
  delete fields[last];
  if (property === 'current-context') file['current-context'] = '';
  return `Property "${property}" unset.\n`;
});

/** `users.bob.token`: where a property stands. Models config's navigation_step_parser. */
function findProperty(file: Writable, property: string): [Fields, string] {
  const [section = '', ...path] = property.split('.').slice(0, MAX_PATH);
  const last = path.pop();
  if (last === undefined) return [file, section];
  if (!Object.hasOwn(BODY, section))
    throw new KubectlFailure(`unable to parse ${property} at ${section}: invalid path`);
  const [name] = path;
  if (name === undefined) throw new KubectlFailure(`unable to parse ${property}: it names no field`);
  return [bodyOf(file, section as Section, name), last];
}

/** The fields of an entry, which is made when there is none. */
function bodyOf(file: Writable, section: Section, name: string): Fields {
  const known = file[section]?.find((one) => one.name === name);
  const entry: Entry = known ?? { name };
  if (!known) file[section] = [...(file[section] ?? []), entry];
  return (entry[BODY[section]] ??= {}) as Fields;
}

function requireName(session: Session): string {
  const [name] = session.args;
  if (name === undefined || session.args.length > 1)
    throw new UsageFailure(`unexpected args: [${session.args.join(' ')}]`, session.path);
  return name;
}

/** Commands of `kubectl config` that write the file. */
export const changes: Readonly<Record<string, Command>> = {
  'config use-context': useContext,
  'config use': useContext,
  'config set-context': setContext,
  'config set-cluster': setCluster,
  'config set-credentials': setCredentials,
  'config rename-context': renameContext,
  'config delete-context': deleting('contexts'),
  'config delete-cluster': deleting('clusters'),
  'config delete-user': deleting('users'),
  'config set': set,
  'config unset': unset,
};
