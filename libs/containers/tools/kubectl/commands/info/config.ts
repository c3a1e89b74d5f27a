import { stringify } from 'yaml';
import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { PRINT } from '../../flags/groups.js';
import { formatYaml } from '../../output/printer.js';
import { formatRows } from '../../output/tabwriter.js';
import { type Kubeconfig, kubeconfigPath } from '../../session/config.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';

const EMPTY = { apiVersion: 'v1', clusters: null, contexts: null, 'current-context': '', kind: 'Config', users: null };
const SECRETS: Readonly<Record<string, string>> = {
  token: 'REDACTED',
  password: 'REDACTED',
  'certificate-authority-data': 'DATA+OMITTED',
  'client-certificate-data': 'DATA+OMITTED',
  'client-key-data': 'DATA+OMITTED',
};

const fileOf = (session: Session): Kubeconfig => session.config.kubeconfig ?? {};

const view: Command = {
  flags: [...PRINT, 'raw', 'flatten', 'minify', 'merge'],
  run(session) {
    const { flags } = session;
    const format = flags.value('output') || 'yaml';
    if (format !== 'yaml' && format !== 'json') throw new KubectlFailure(`config view -o ${format} is not simulated`);
    const file = session.config.kubeconfig;
    const whole = { ...EMPTY, ...(file && (flags.isOn('minify') ? minify(file) : file)) };
    const shown = flags.isOn('raw') ? whole : redact(whole, 0);
    session.out(format === 'yaml' ? formatYaml(shown) : `${JSON.stringify(shown, null, 4)}\n`);
  },
};

function minify(file: Kubeconfig): Kubeconfig {
  const current = file['current-context'];
  const context = file.contexts?.find(({ name }) => name === current);
  if (!context) throw new KubectlFailure('current-context must exist in order to minify');
  return {
    ...file,
    contexts: [context],
    clusters: (file.clusters ?? []).filter(({ name }) => name === context.context?.['cluster']),
    users: (file.users ?? []).filter(({ name }) => name === context.context?.['user']),
  };
}

const MAX_DEPTH = 20;

function redact(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => redact(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      Object.hasOwn(SECRETS, key) ? SECRETS[key] : redact(one, depth + 1),
    ]),
  );
}

const currentContext: Command = {
  flags: [],
  run(session) {
    const current = fileOf(session)['current-context'] ?? '';
    if (current === '') throw new KubectlFailure('current-context is not set');
    session.out(`${current}\n`);
  },
};

const getContexts: Command = {
  flags: ['o,output:', 'no-headers'],
  run(session) {
    const { contexts = [], 'current-context': current } = fileOf(session);
    const chosen = contexts.filter(({ name = '' }) => session.args.length === 0 || session.args.includes(name));
    const missing = session.args.find((name) => !contexts.some((one) => one.name === name));
    if (missing !== undefined) throw new KubectlFailure(`context ${missing} not found`);
    if (session.flags.value('output') === 'name') return session.out(chosen.map(({ name }) => `${name}\n`).join(''));
    const rows = chosen.map(({ name = '', context = {} }) => [
      ...[
        name === current ? '*' : '',
        name,
        context['cluster'] ?? '',
        context['user'] ?? '',
        context['namespace'] ?? '',
      ],
    ]);
    const header = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
    session.out(formatRows(session.flags.isOn('no-headers') ? rows : [header, ...rows]));
  },
};

const listing = (field: 'clusters' | 'users'): Command => ({
  flags: [],
  run(session) {
    const all = fileOf(session)[field] ?? [];
    session.out(formatRows([['NAME'], ...all.map(({ name = '' }) => [name])]));
  },
});

/** Changes the file, and writes it. */
const changing = (flags: readonly string[], change: (session: Session, file: Writable) => string): Command => ({
  flags,
  run(session) {
    const file = structuredClone(fileOf(session)) as Writable;
    const said = change(session, file);
    const path = kubeconfigPath(session.sys, session.flags) ?? `${session.sys.env['HOME'] ?? '/root'}/.kube/config`;
    save(session, path, { apiVersion: 'v1', kind: 'Config', ...file });
    session.out(said);
  },
});

type Writable = {
  'current-context'?: string;
  contexts?: { name?: string; context?: Record<string, string> }[];
};

function save({ sys }: Session, path: string, value: object): void {
  const folder = path.slice(0, path.lastIndexOf('/'));
  if (folder !== '' && !sys.access(folder, '')) sys.makeDirectory(folder, 0o750);
  const descriptor = sys.open(path, { write: true, create: true, truncate: true }, 0o600);
  for (let rest = bytesOf(stringify(value, { indentSeq: false, lineWidth: 0 })); rest !== '';) {
    const count = sys.write(descriptor, rest);
    if (count === 0) break;
    rest = rest.slice(count);
  }
  sys.close(descriptor);
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
  const known = file.contexts?.find((one) => one.name === name);
  const context = { ...known?.context };
  for (const key of ['cluster', 'user', 'namespace']) if (flags.has(key)) context[key] = flags.value(key);
  if (known) known.context = context;
  else file.contexts = [...(file.contexts ?? []), { name, context }];
  return `Context "${name}" ${known ? 'modified' : 'created'}.\n`;
});

export const group: CommandGroup = {
  commands: {
    'config view': view,
    'config current-context': currentContext,
    'config get-contexts': getContexts,
    'config get-clusters': listing('clusters'),
    'config get-users': listing('users'),
    'config use-context': useContext,
    'config use': useContext,
    'config set-context': setContext,
  },
};
