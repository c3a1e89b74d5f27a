import { findResource } from '../../discovery/resources.js';
import { printObject, readFormat } from '../../output/printer.js';
import { alignTabs, formatRows } from '../../output/tabwriter.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { PRINT } from '../../flags/groups.js';
import type { Command, CommandGroup } from '../command.js';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

const canI: Command = {
  flags: ['A,all-namespaces', 'list', 'no-headers', 'q,quiet', 'subresource:'],
  run(session) {
    if (session.flags.isOn('list')) return listRules(session);
    const [verb, target, name] = session.args;
    if (verb === undefined || target === undefined || session.args.length > 3)
      throw new KubectlFailure(
        `you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.`,
      );
    const attributes = target.startsWith('/')
      ? { nonResourceAttributes: { path: target, verb } }
      : { resourceAttributes: resourceAttributes(session, verb, target, name) };
    const review = session.post(`${AUTHORIZATION}/selfsubjectaccessreviews`, {
      ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
      spec: attributes,
    });
    const {
      allowed = false,
      reason = '',
      evaluationError = '',
    } = (review['status'] ?? {}) as {
      allowed?: boolean;
      reason?: string;
      evaluationError?: string;
    };
    if (!allowed) session.code = 1;
    if (session.flags.isOn('quiet')) return;
    const why = `${reason === '' ? '' : ` - ${reason}`}${evaluationError === '' ? '' : ` - ${evaluationError}`}`;
    session.out(allowed ? `yes\n` : `no${why}\n`);
  },
};

function resourceAttributes(session: Session, verb: string, target: string, given: string | undefined): object {
  const [word = '', fromPath] = target.split('/');
  const name = given ?? fromPath ?? '';
  const found = word === '*' ? { group: '*', plural: '*', isNamespaced: true } : findResource(session.resources, word);
  if (!found) session.err(`Warning: the server doesn't have a resource type '${word}'\n\n`);
  else if (!found.isNamespaced && !session.flags.isOn('all-namespaces'))
    session.err(
      `Warning: resource '${found.plural}' is not namespace scoped${found.group === '' ? '' : ` in group '${found.group}'`}\n\n`,
    );
  const namespace = session.flags.isOn('all-namespaces') || found?.isNamespaced === false ? '' : session.namespace;
  return {
    ...{ verb, group: found?.group ?? '', resource: found?.plural ?? word, namespace },
    ...(name === '' ? {} : { name }),
    ...(session.flags.has('subresource') ? { subresource: session.flags.value('subresource') } : {}),
  };
}

interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

function listRules(session: Session): void {
  const review = session.post(`${AUTHORIZATION}/selfsubjectrulesreviews`, {
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview' },
    spec: { namespace: session.namespace },
  });
  const status = (review['status'] ?? {}) as {
    resourceRules?: Rule[];
    nonResourceRules?: Rule[];
    incomplete?: boolean;
  };
  if (status.incomplete === true)
    session.err('warning: the list may be incomplete: some authorizers do not support rules\n');
  const list = (words: readonly string[] = []): string => `[${words.join(' ')}]`;
  const rows = [
    ...breakDown(status.resourceRules ?? []).map(({ name, names, verbs }) => ({
      verbs,
      name,
      cells: [name, '[]', list(names), list(verbs)],
    })),
    ...(status.nonResourceRules ?? []).flatMap(({ nonResourceURLs = [], verbs = [] }) =>
      nonResourceURLs.map((url) => ({ verbs, name: `.]${url}]`, cells: ['', list([url]), '[]', list(verbs)] })),
    ),
  ];
  // As upstream, which compares the rules as texts: their verbs stand first in these.
  const keyOf = ({ verbs, name }: (typeof rows)[number]): string =>
    `${list(verbs)} ${name.slice(name.indexOf('.') + 1)} ${name}`;
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const header = session.flags.isOn('no-headers')
    ? []
    : [['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs']];
  session.out(formatRows([...header, ...rows.map(({ cells }) => cells)]));
}

/** One row a resource; rules of one resource are joined. Models rbac's CompactRules and SortableRuleSlice. */
function breakDown(rules: readonly Rule[]): { name: string; names: readonly string[]; verbs: string[] }[] {
  const rows = new Map<string, { name: string; names: readonly string[]; verbs: string[] }>();
  for (const { apiGroups = [], resources = [], resourceNames = [], verbs = [] } of rules)
    for (const group of apiGroups)
      for (const resource of resources) {
        const [plural = '', sub] = resource.split('/');
        const name = `${plural}${group === '' ? '' : `.${group}`}${sub === undefined ? '' : `/${sub}`}`;
        const key = JSON.stringify([name, resourceNames]);
        const row = rows.get(key) ?? { name, names: resourceNames, verbs: [] };
        rows.set(key, { ...row, verbs: [...row.verbs, ...verbs.filter((verb) => !row.verbs.includes(verb))] });
      }
  return [...rows.values()];
}

const whoami: Command = {
  flags: PRINT,
  run(session) {
    const review = session.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    });
    if (session.flags.has('output')) return session.out(printObject(session, readFormat(session), review));
    session.out(formatUser(review));
  },
};

function formatUser(review: ApiObject): string {
  const { userInfo = {} } = (review['status'] ?? {}) as {
    userInfo?: { username?: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> };
  };
  const { username = '', uid = '', groups = [], extra = {} } = userInfo;
  const rows = [
    ['ATTRIBUTE', 'VALUE'],
    ...(username === '' ? [] : [['Username', username]]),
    ...(uid === '' ? [] : [['UID', uid]]),
    ...(groups.length === 0 ? [] : [['Groups', `[${groups.join(' ')}]`]]),
    ...Object.keys(extra)
      .sort()
      .map((key) => [`Extra: ${key}`, `[${extra[key]!.join(' ')}]`]),
  ];
  return `${alignTabs(rows.map((row) => row.join('\t')).join('\n'), { minWidth: 6, padding: 3 })}\n`;
}

const reconcile: Command = {
  flags: [
    ...PRINT,
    'f,filename:',
    'dry-run::client',
    'remove-extra-permissions',
    'remove-extra-subjects',
    'R,recursive',
  ],
  run() {
    throw new KubectlFailure('auth reconcile is not simulated: apply does it');
  },
};

export const group: CommandGroup = {
  commands: { 'auth can-i': canI, 'auth whoami': whoami, 'auth reconcile': reconcile },
};
