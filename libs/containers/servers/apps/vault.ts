import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import type { Plain, Program, Wait } from '../../../engine/kernel/process/program.js';
import { beginFetch, continueFetch, parseUrl, type Fetch } from '../../tools/network/fetch.js';
import { defineJob, type Job } from '../agnhost/command/command.js';
import { readSmallFile } from '../../tools/accounts.js';
import { defineApp, html, json, option, type AppReply, type AppRequest, type AppServer } from './app.js';

const VAULT = '1.20.0';
const MAX_SECRETS = 500;
type Secret = { versions: { data: Record<string, string>; at: string }[] };

const rootToken = (argv: readonly Bytes[], env: Readonly<Record<string, Bytes>>): string =>
  textOf(option(argv, 'dev-root-token-id') ?? env['VAULT_DEV_ROOT_TOKEN_ID'] ?? 'hvs.wZ1XSE0WPGmv6lbJzuv1vkBM');
const vaultPort = (argv: readonly Bytes[], env: Readonly<Record<string, Bytes>>): number =>
  Number((option(argv, 'dev-listen-address') ?? env['VAULT_DEV_LISTEN_ADDRESS'] ?? '0.0.0.0:8200').split(':').at(-1));

const health = {
  initialized: true,
  sealed: false,
  standby: false,
  performance_standby: false,
  replication_performance_mode: 'disabled',
  replication_dr_mode: 'disabled',
};
const seal = {
  type: 'shamir',
  initialized: true,
  sealed: false,
  t: 1,
  n: 1,
  progress: 0,
  nonce: '',
  version: VAULT,
  build_date: '2025-06-23T10:21:30Z',
  migration: false,
  cluster_name: 'vault-cluster-4f1c2a8d',
  cluster_id: '0b1d7c5a-6f0e-3b5e-9d6f-2a1f6c1d8e11',
  recovery_seal: false,
  storage_type: 'inmem',
};

const vaultServer = defineApp({
  ports: (argv, env) => [vaultPort(argv, env)],
  readyMs: 600,
  memory: 60 * 2 ** 20,
  log: ({ own, sys }) => [
    ...[
      '==> Vault server configuration:',
      '',
      `             Api Address: http://0.0.0.0:${vaultPort(own.argv, sys.env)}`,
      '                 Storage: inmem',
      `                 Version: Vault v${VAULT}, built 2025-06-23T10:21:30Z`,
      '',
    ],
    ...[
      '==> Vault server started! Log data will stream in below:',
      '',
      'WARNING! dev mode is enabled! In this mode, Vault runs entirely in-memory',
      'and starts unsealed with a single unseal key. The root token is already',
      'authenticated to the CLI, so you can immediately begin using Vault.',
      '',
    ],
    ...[
      'You may need to set the following environment variables:',
      '',
      `    $ export VAULT_ADDR='http://0.0.0.0:${vaultPort(own.argv, sys.env)}'`,
      '',
      'The unseal key and root token are displayed below in case you want to',
      'seal/unseal the Vault or re-authenticate.',
      '',
    ],
    ...[
      'Unseal Key: 3o5rLEMcBEYbLLhWYJdxqHGJvHbHMYZyqmHKz9rVxyI=',
      `Root Token: ${rootToken(own.argv, sys.env)}`,
      '',
      'Development mode should NOT be used in production installations!',
      '',
    ],
  ],
  answer: (request, server) => answerVault(request, server),
});

function answerVault(request: AppRequest, server: AppServer): AppReply {
  const { route, method, headers, body } = request;
  const { own, sys } = server;
  if (route === '/v1/sys/health')
    return json({
      ...health,
      server_time_utc: Math.floor(sys.now / 1_000),
      version: VAULT,
      cluster_name: seal.cluster_name,
      cluster_id: seal.cluster_id,
    });
  if (route === '/v1/sys/seal-status') return json(seal);
  if (route === '/ui' || route === '/ui/')
    return html('<!DOCTYPE html>\n<html lang="en">\n<head><title>Vault</title></head>\n<body></body>\n</html>\n');
  const token = headers['x-vault-token'] ?? /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  if (token !== rootToken(own.argv, sys.env)) return json({ errors: ['permission denied'] }, 403);
  if (route === '/v1/sys/mounts')
    return json({
      data: {
        'secret/': { type: 'kv', options: { version: '2' } },
        'cubbyhole/': { type: 'cubbyhole' },
        'sys/': { type: 'system' },
      },
    });
  const [, kind, path = ''] = /^\/v1\/secret\/(data|metadata)\/?(.*)$/.exec(textOf(route)) ?? [];
  if (kind === undefined)
    return json(
      { errors: [`no handler for route "${textOf(route).replace('/v1/', '')}". route entry not found.`] },
      404,
    );
  const secret = own.data[path] as unknown as Secret | undefined;
  const metadata = (version: number, at: string) => ({
    created_time: at,
    custom_metadata: null,
    deletion_time: '',
    destroyed: false,
    version,
  });
  if (method === 'LIST' || request.query.get('list') === 'true') {
    const prefix = path === '' ? '' : `${path.replace(/\/$/, '')}/`;
    const keys = [
      ...new Set(
        Object.keys(own.data)
          .filter((name) => name.startsWith(prefix))
          .map((name) => name.slice(prefix.length).replace(/\/.*/, '/')),
      ),
    ].sort();
    return keys.length === 0 ? json({ errors: [] }, 404) : json({ data: { keys } });
  }
  if (method === 'DELETE') {
    delete own.data[path];
    return { status: 204 };
  }
  if (method === 'POST' || method === 'PUT') {
    const data = readData(textOf(body));
    if (data === undefined) return json({ errors: ['no data provided'] }, 400);
    if (Object.keys(own.data).length >= MAX_SECRETS && secret === undefined)
      return json({ errors: ['too many secrets'] }, 500);
    const at = new Date(sys.now).toISOString();
    const versions = [...(secret?.versions ?? []).slice(-9), { data, at }];
    own.data[path] = { versions } as unknown as Plain;
    return json({ data: metadata((secret?.versions.length ?? 0) + 1, at) });
  }
  const last = secret?.versions.at(-1);
  if (last === undefined) return json({ errors: [] }, 404);
  const version = secret!.versions.length;
  return json({
    request_id: '',
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: { data: last.data, metadata: metadata(version, last.at) },
    wrap_info: null,
    warnings: null,
    auth: null,
  });
}

function readData(text: string): Record<string, string> | undefined {
  try {
    return (JSON.parse(text) as { data?: Record<string, string> }).data;
  } catch {
    return undefined;
  }
}

type CliState = { fetch: Fetch | null };

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([key]) => key.length)) + 4;
  return rows.map(([key, value]) => `${key.padEnd(width)}${value}\n`).join('');
};

/** Vault's command line, as far as `status`, `kv put|get|list|delete` and `version`. */
const vaultCli = defineJob<CliState>(() => ({ fetch: null }), runVault);

function runVault(job: Job<CliState>): number | Wait {
  const { sys, own } = job;
  const [command = '', verb = '', ...rest] = job.argv
    .slice(1)
    .filter((word) => !/^-(?:mount|address|format)=/.test(word))
    .map(textOf);
  const fail = (text: string, code = 1): number => {
    job.err(bytesOf(`${text}\n`));
    return code;
  };
  if (command === 'version' || command === '-version' || command === '--version') {
    job.out(`Vault v${VAULT} (6fdd6b59b97b6f3d1b3a6b4b6a7d0f6f1f0a2f4c), built 2025-06-23T10:21:30Z\n`);
    return 0;
  }
  const isKv = command === 'kv' && ['put', 'get', 'list', 'delete'].includes(verb);
  if (!isKv && command !== 'status') return fail(`vault: ${[command, verb].join(' ').trim()} is not simulated`);
  const given = (rest.find((word) => !word.startsWith('-') && !word.includes('=')) ?? '').replace(/^secret\//, '');
  const path = given.replace(/\/$/, '');
  if (isKv && given === '' && verb !== 'list')
    return fail(`Not enough arguments (expected ${verb === 'put' ? '>' : ''}1, got 0)`);
  const base = textOf(option(job.argv, 'address') ?? sys.env['VAULT_ADDR'] ?? 'https://127.0.0.1:8200');
  const pairs = rest
    .filter((word) => word.includes('=') && !word.startsWith('-'))
    .map((word) => word.split(/=(.*)/s, 2) as [string, string]);
  if (verb === 'put' && pairs.length === 0) return fail('Must supply data');
  if (own.fetch === null) {
    const token =
      textOf(sys.env['VAULT_TOKEN'] ?? '') ||
      textOf(readSmallFile(sys, '/root/.vault-token')) ||
      textOf(readSmallFile(sys, '/home/vault/.vault-token'));
    const url = parseUrl(
      `${base}${command === 'status' ? '/v1/sys/seal-status' : `/v1/secret/${verb === 'list' || verb === 'delete' ? 'metadata' : 'data'}/${path}`}`,
    );
    if (url === undefined) return fail(`Error initializing client: parse "${base}": invalid URL`);
    const method = verb === 'put' ? 'PUT' : verb === 'list' ? 'LIST' : verb === 'delete' ? 'DELETE' : 'GET';
    const body = verb === 'put' ? bytesOf(JSON.stringify({ data: Object.fromEntries(pairs) })) : '';
    const lines = [
      `${method} ${url.path} HTTP/1.1`,
      `Host: ${url.host}:${url.port}`,
      `X-Vault-Token: ${token}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    own.fetch = beginFetch(sys, {
      url,
      request: `${lines.join('\r\n')}\r\n\r\n${body}`,
      isHead: false,
      timeout: 30_000,
    });
  }
  const outcome = continueFetch(sys, own.fetch);
  if ('wait' in outcome) return outcome.wait;
  if ('failure' in outcome) {
    const address = `${own.fetch.host}:${own.fetch.port}`;
    if (outcome.failure === 'not-tls')
      return fail(
        `Error checking seal status: Get "${base}/v1/sys/seal-status": http: server gave HTTP response to HTTPS client`,
      );
    return fail(
      `Error checking seal status: Get "${base}/v1/sys/seal-status": dial tcp ${address}: connect: connection refused`,
    );
  }
  const { status, body } = outcome.answer;
  const value = status === 204 ? {} : (JSON.parse(textOf(body) || '{}') as { errors?: string[]; data?: never });
  if (status >= 400) {
    if (verb === 'get' && status === 404) return fail(`No value found at secret/data/${path}`, 2);
    const url = `${base}/v1/secret/data/${path}`;
    return fail(
      `Error ${verb === 'put' ? 'writing data to' : 'reading'} secret/data/${path}: Error making API request.\n\nURL: ${verb === 'put' ? 'PUT' : 'GET'} ${url}\nCode: ${status}. Errors:\n\n${(value.errors ?? []).map((error) => `* ${error}`).join('\n')}`,
      2,
    );
  }
  job.out(bytesOf(showVault(command, verb, path, value as Record<string, unknown>, option(job.argv, 'field'))));
  return 0;
}

function showVault(
  command: string,
  verb: string,
  path: string,
  value: Record<string, unknown>,
  field: string | undefined,
): string {
  if (command === 'status')
    return table([
      ['Key', 'Value'],
      ['---', '-----'],
      ['Seal Type', 'shamir'],
      ['Initialized', 'true'],
      ['Sealed', 'false'],
      ['Total Shares', '1'],
      ['Threshold', '1'],
      ['Version', VAULT],
      ['Build Date', seal.build_date],
      ['Storage Type', 'inmem'],
      ['Cluster Name', seal.cluster_name],
      ['Cluster ID', seal.cluster_id],
      ['HA Enabled', 'false'],
    ]);
  if (verb === 'delete') return `Success! Data deleted (if it existed) at: secret/data/${path}\n`;
  if (verb === 'list')
    return `Keys\n----\n${(value['data'] as { keys: string[] }).keys.map((key) => `${key}\n`).join('')}`;
  const data = value['data'] as { data?: Record<string, string>; metadata?: object };
  const metadata = Object.entries(verb === 'put' ? data : (data.metadata ?? {})) as [string, unknown][];
  if (field !== undefined) return `${data.data?.[field] ?? ''}\n`;
  const shown = table([
    ['Key', 'Value'],
    ['---', '-----'],
    ...metadata.map(([key, one]): [string, string] => [key, one === null ? '<nil>' : one === '' ? 'n/a' : String(one)]),
  ]);
  const title = `secret/data/${path}`;
  const path_ = `== Secret Path ==\n${title}\n\n======= Metadata =======\n${shown}`;
  return verb === 'put'
    ? path_
    : `${path_}\n====== Data ======\n${table([['Key', 'Value'], ['---', '-----'], ...Object.entries(data.data ?? {})])}`;
}

/** `vault server -dev` by its entrypoint's `server`; everything else is the command line. */
const vault: Program = {
  start: (argv, sys) => {
    const isServer = argv[1] === 'server';
    return { isServer, inner: (isServer ? vaultServer : vaultCli).start(argv, sys) };
  },
  step(state, sys) {
    const { isServer, inner } = state as { isServer: boolean; inner: Plain };
    return (isServer ? vaultServer : vaultCli).step(inner, sys);
  },
};

export const programs: Readonly<Record<string, Program>> = { 'apps:vault': vault };
