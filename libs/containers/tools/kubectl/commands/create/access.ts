import { findResource } from '../../discovery/resources.js';
import { ApiFailure, KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { PRINT, WRITE } from '../../flags/groups.js';
import type { Command } from '../command.js';
import { durationMs } from '../duration.js';
import { createObject, nameOfArgs, requireFlags } from './object.js';

const FLAGS = [...PRINT, ...WRITE];
const RBAC = 'rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';

/** The rules of --verb and --resource, one for each group. Throws KubectlFailure. */
function rulesOf(session: Session, isCluster: boolean): object[] {
  const { flags } = session;
  const verbs = [...new Set(flags.list('verb'))];
  const urls = flags.list('non-resource-url');
  if (verbs.length === 0) throw new KubectlFailure('at least one verb must be specified');
  if (urls.length > 0 && isCluster) return [{ nonResourceURLs: urls, verbs }];
  const names = flags.list('resource-name');
  const groups = new Map<string, string[]>();
  for (const text of flags.list('resource')) {
    const [word = '', sub] = text.split('/');
    const found = word === '*' ? { plural: '*', group: '*' } : findResource(session.resources, word);
    if (!found) throw new KubectlFailure(`the server doesn't have a resource type "${word}"`);
    groups.set(found.group, [...(groups.get(found.group) ?? []), found.plural + (sub === undefined ? '' : `/${sub}`)]);
  }
  if (groups.size === 0) throw new KubectlFailure('at least one resource must be specified');
  return [...groups].map(([group, resources]) => ({
    ...{ apiGroups: [group], resources, verbs },
    ...(names.length > 0 ? { resourceNames: names } : {}),
  }));
}

const role = (kind: 'Role' | 'ClusterRole'): Command => ({
  flags: [...FLAGS, 'verb:', 'resource:', 'resource-name:', 'non-resource-url:', 'aggregation-rule:'],
  run(session) {
    const name = nameOfArgs(session);
    if (session.flags.has('aggregation-rule')) throw new KubectlFailure('--aggregation-rule is not simulated');
    const rules = rulesOf(session, kind === 'ClusterRole');
    createObject(session, { apiVersion: RBAC, kind, metadata: { name }, rules }, kind.toLowerCase());
  },
});

const binding = (kind: 'RoleBinding' | 'ClusterRoleBinding'): Command => ({
  flags: [...FLAGS, 'role:', 'clusterrole:', 'user:', 'group:', 'serviceaccount:'],
  run(session) {
    const name = nameOfArgs(session);
    const { flags } = session;
    const [own, cluster] = [flags.value('role'), flags.value('clusterrole')];
    if (kind === 'ClusterRoleBinding') requireFlags(session, 'clusterrole');
    else if ((own === '') === (cluster === ''))
      throw new KubectlFailure('exactly one of clusterrole or role must be specified');
    const roleRef = { apiGroup: GROUP, kind: cluster === '' ? 'Role' : 'ClusterRole', name: cluster || own };
    const subjects = [
      ...flags.all('user').map((user) => ({ apiGroup: GROUP, kind: 'User', name: user })),
      ...flags.all('group').map((group) => ({ apiGroup: GROUP, kind: 'Group', name: group })),
      ...flags.list('serviceaccount').map((text) => {
        const [namespace = '', account, more] = text.split(':');
        if (account === undefined || more !== undefined || namespace === '')
          throw new KubectlFailure('serviceaccount must be <namespace>:<name>');
        return { kind: 'ServiceAccount', name: account, namespace };
      }),
    ];
    createObject(
      session,
      { apiVersion: RBAC, kind, metadata: { name }, roleRef, ...(subjects.length > 0 ? { subjects } : {}) },
      kind.toLowerCase(),
    );
  },
});

const serviceaccount: Command = {
  flags: FLAGS,
  run: (session) =>
    void createObject(
      session,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: nameOfArgs(session) } },
      'serviceaccount',
    ),
};

function request(session: Session, path: string, body: ApiObject): ApiObject {
  try {
    return session.post(path, body);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.reason !== 'Invalid') throw error;
    throw new KubectlFailure(`failed to create token: ${error.message}`);
  }
}

const token: Command = {
  flags: [...FLAGS, 'audience:', 'duration:', 'bound-object-kind:', 'bound-object-name:', 'bound-object-uid:'],
  run(session) {
    const name = nameOfArgs(session);
    const { flags } = session;
    const duration = flags.value('duration');
    const spec = {
      audiences: flags.list('audience'),
      ...(duration === '' ? {} : { expirationSeconds: Math.floor(durationMs(duration, 'duration') / 1_000) }),
    };
    if (flags.has('bound-object-kind')) throw new KubectlFailure('--bound-object-kind is not simulated');
    const path = `/api/v1/namespaces/${session.namespace}/serviceaccounts/${name}/token`;
    const made = request(session, path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
    session.out(`${(made['status'] as { token?: string }).token ?? ''}\n`);
  },
};

export const access: Readonly<Record<string, Command>> = {
  'create role': role('Role'),
  'create clusterrole': role('ClusterRole'),
  'create rolebinding': binding('RoleBinding'),
  'create clusterrolebinding': binding('ClusterRoleBinding'),
  'create serviceaccount': serviceaccount,
  'create sa': serviceaccount,
  'create token': token,
};
