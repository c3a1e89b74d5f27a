import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { PRINT } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { formatRows } from '../../output/tabwriter.js';
import type { Kubeconfig } from '../../session/config.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';
import { changes } from './config-changes.js';

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
    const format = flags.has('output') ? readFormat(session) : { name: 'yaml', argument: '' };
    const { kubeconfig: file } = session.config;
    const context = flags.value('context') || (file?.['current-context'] ?? '');
    const whole = { ...EMPTY, ...(file && (flags.isOn('minify') ? minify(file, context) : file)) };
    const flat = flags.isOn('flatten') ? flatten(session, whole) : whole;
    const shown = flags.isOn('raw') || flags.isOn('flatten') ? flat : redact(flat, 0);
    session.out(printObject(session, format, shown as ApiObject));
  },
};

/** What the context needs, and it as the current one. Models clientcmd/api MinifyConfig. */
function minify(file: Kubeconfig, current: string): Kubeconfig {
  const context = file.contexts?.find(({ name }) => name === current);
  if (!context) throw new KubectlFailure('current-context must exist in order to minify');
  return {
    ...file,
    'current-context': current,
    contexts: [context],
    clusters: (file.clusters ?? []).filter(({ name }) => name === context.context?.['cluster']),
    users: (file.users ?? []).filter(({ name }) => name === context.context?.['user']),
  };
}

/** Files that are named become data. Models clientcmd/api FlattenConfig. */
function flatten(session: Session, file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const embed = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) =>
        typeof value === 'string' && Object.hasOwn(SECRETS, `${name}-data`)
          ? [`${name}-data`, btoa(bytesOf(session.readFile(value)))]
          : [name, value],
      ),
    );
  const embedAll = (entries: unknown, body: string): unknown =>
    Array.isArray(entries) ? entries.map((one) => ({ ...one, [body]: embed(one[body] ?? {}) })) : entries;
  return { ...file, clusters: embedAll(file['clusters'], 'cluster'), users: embedAll(file['users'], 'user') };
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

export const group: CommandGroup = {
  commands: {
    'config view': view,
    'config current-context': currentContext,
    'config get-contexts': getContexts,
    'config get-clusters': listing('clusters'),
    'config get-users': listing('users'),
    ...changes,
  },
};
