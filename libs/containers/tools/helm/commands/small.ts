import type { Command, CommandGroup } from '../../kubectl/commands/command.js';
import { HelmFailure } from '../failure.js';
import { formatTable } from '../output.js';
import { pathsOf } from '../repositories/paths.js';
import { HELM_VERSION, VERSION_INFO } from '../version.js';
import { requireArgs } from './flags.js';

const version: Command = {
  flags: ['short', 'template:', 'c,client'],
  run(session) {
    requireArgs(session, 'version [flags]', 0, 0);
    if (session.flags.has('template')) throw new HelmFailure('--template is not simulated');
    const { Version, GitCommit, GitTreeState, GoVersion } = VERSION_INFO;
    session.out(
      session.flags.isOn('short')
        ? `${HELM_VERSION}+g${GitCommit.slice(0, 7)}\n`
        : `version.BuildInfo{Version:"${Version}", GitCommit:"${GitCommit}", GitTreeState:"${GitTreeState}", GoVersion:"${GoVersion}"}\n`,
    );
  },
};

const env: Command = {
  flags: [],
  run(session) {
    const { env: own } = session.sys;
    const { cache, config, data, plugins, registry, indexes, repositories } = pathsOf(session);
    const { flags } = session;
    const values: Readonly<Record<string, string>> = {
      ...{ HELM_BIN: 'helm', HELM_BURST_LIMIT: '100', HELM_CACHE_HOME: cache, HELM_CONFIG_HOME: config },
      ...{
        HELM_DATA_HOME: data,
        HELM_DEBUG: String(flags.isOn('debug')),
        HELM_KUBEAPISERVER: flags.value('kube-apiserver'),
      },
      ...{ HELM_KUBEASGROUPS: flags.all('kube-as-group').join(','), HELM_KUBEASUSER: flags.value('kube-as-user') },
      ...{ HELM_KUBECAFILE: '', HELM_KUBECONTEXT: flags.value('kube-context') },
      ...{ HELM_KUBEINSECURE_SKIP_TLS_VERIFY: 'false', HELM_KUBETLS_SERVER_NAME: '' },
      ...{ HELM_KUBETOKEN: flags.value('kube-token'), HELM_MAX_HISTORY: own['HELM_MAX_HISTORY'] ?? '10' },
      ...{ HELM_NAMESPACE: session.namespace, HELM_PLUGINS: plugins, HELM_QPS: '0.00', HELM_REGISTRY_CONFIG: registry },
      ...{ HELM_REPOSITORY_CACHE: indexes, HELM_REPOSITORY_CONFIG: repositories },
    };
    const [name] = session.args;
    if (name !== undefined) return session.out(`${values[name] ?? ''}\n`);
    session.out(
      Object.entries(values)
        .map(([key, value]) => `${key}="${value}"\n`)
        .join(''),
    );
  },
};

const plugins: Command = {
  flags: [],
  run(session) {
    session.out(formatTable([['NAME', 'VERSION', 'DESCRIPTION']]));
  },
};

/** What the real helm has and this one has not. */
const absent: Command = {
  flags: [],
  run(session) {
    throw new HelmFailure(`"${session.path}" is not simulated`);
  },
};

const ABSENT = [
  ...['completion', 'push', 'verify', 'registry login', 'registry logout', 'plugin install', 'plugin uninstall'],
  'plugin update',
];

export const group: CommandGroup = {
  commands: { version, env, 'plugin list': plugins, ...Object.fromEntries(ABSENT.map((name) => [name, absent])) },
};
