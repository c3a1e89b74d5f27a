import type { Session } from '../../kubectl/session/session.js';
import { parseDuration } from '../../../servers/go.js';
import { HelmFailure } from '../failure.js';

/** Flags that every command knows. */
export const GLOBAL: readonly string[] = [
  ...['n,namespace:', 'kubeconfig:', 'kube-context:', 'kube-token:', 'kube-apiserver:', 'kube-as-user:'],
  ...['kube-as-group:', 'kube-ca-file:', 'kube-tls-server-name:', 'kube-insecure-skip-tls-verify', 'debug'],
  ...['registry-config:', 'repository-config:', 'repository-cache:', 'burst-limit:', 'qps:', 'h,help'],
];

/** Where values come from. */
export const VALUES = ['f,values:', 'set:', 'set-string:', 'set-file:', 'set-json:', 'set-literal:'];

/** Where a chart comes from. */
export const CHART = [
  ...['version:', 'repo:', 'verify', 'keyring:', 'username:', 'password:', 'ca-file:', 'cert-file:', 'key-file:'],
  ...['insecure-skip-tls-verify', 'plain-http', 'pass-credentials', 'devel'],
];

/** Of install and upgrade. */
export const CHANGE = [
  ...VALUES,
  ...CHART,
  ...['create-namespace', 'dry-run::client', 'force', 'no-hooks', 'timeout:', 'wait', 'wait-for-jobs', 'description:'],
  ...['dependency-update', 'disable-openapi-validation', 'atomic', 'skip-crds', 'render-subchart-notes', 'l,labels:'],
  ...['skip-schema-validation', 'enable-dns', 'hide-notes', 'hide-secret', 'take-ownership', 'post-renderer:'],
  ...['post-renderer-args:', 'o,output:'],
];

const DEFAULT_TIMEOUT = 300_000;

/** ms of --timeout. Throws HelmFailure. */
export function timeoutOf({ flags }: Session): number {
  const text = flags.value('timeout');
  if (text === '') return DEFAULT_TIMEOUT;
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new HelmFailure(
      `invalid argument ${JSON.stringify(text)} for "--timeout" flag: time: ${/^[\d.]+$/.test(text) ? 'missing unit in duration' : 'invalid duration'} ${JSON.stringify(text)}`,
    );
  return ms;
}

/** Throws HelmFailure. */
export function outputOf({ flags }: Session): 'table' | 'json' | 'yaml' {
  const value = flags.value('output') || 'table';
  if (value === 'table' || value === 'json' || value === 'yaml') return value;
  throw new HelmFailure(`invalid argument ${JSON.stringify(value)} for "-o, --output" flag: invalid format type`);
}

/** '' without a dry run. Throws HelmFailure. */
export function dryRunOf({ flags }: Session): '' | 'client' | 'server' {
  const value = flags.optional('dry-run');
  if (value === undefined || ['', 'none', 'false'].includes(value)) return '';
  if (value === 'client' || value === 'true') return 'client';
  if (value === 'server') return 'server';
  throw new HelmFailure('invalid dry-run flag. Flag must one of the following: false, true, none, client, server');
}

/** Refuses flags whose work is not simulated. Throws HelmFailure. */
export function refuseFlags({ flags }: Session, ...names: readonly string[]): void {
  for (const name of names) if (flags.has(name)) throw new HelmFailure(`--${name} is not simulated`);
}

/** ms since 1970, as the machine's clock shows when the task began. */
export const clockOf = (session: Session): number => session.now + (session.sys.clock - session.sys.now);

/** Throws HelmFailure when there are fewer or more arguments. Models cmd/helm/require. */
export function requireArgs(session: Session, usage: string, least: number, most = Infinity): void {
  const { args, path } = session;
  const count = (number: number): string => `${number} argument${number === 1 ? '' : 's'}`;
  const fail = (what: string): never => {
    throw new HelmFailure(`"${path}" ${what}\n\nUsage:  ${path.split(' ').slice(0, -1).join(' ')} ${usage}`);
  };
  if (most === 0 && args.length > 0) fail('accepts no arguments');
  if (least === most && args.length !== least) fail(`requires ${count(least)}`);
  if (args.length < least) fail(`requires at least ${count(least)}`);
  if (args.length > most) fail(`accepts at most ${count(most)}`);
}
