import { ageSince } from '../../../../../engine/machinery/time/time.js';
import { apiVersionOf, type ServerResource } from '../../discovery/resources.js';
import { PRINT } from '../../flags/groups.js';
import { formatYaml } from '../../output/printer.js';
import { formatRows } from '../../output/tabwriter.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { clientVersion, KUSTOMIZE_VERSION } from '../../version.js';
import type { Command, CommandGroup } from '../command.js';

const version: Command = {
  flags: ['client', 'o,output:', 'short'],
  run(session) {
    const { flags } = session;
    const output = flags.value('output');
    const own = clientVersion(session.sys);
    if (!['', 'yaml', 'json'].includes(output)) throw new KubectlFailure("--output must be 'yaml' or 'json'");
    if (output === '') session.out(`Client Version: ${own}\nKustomize Version: ${KUSTOMIZE_VERSION}\n`);
    const server = flags.isOn('client') ? undefined : session.get('/version');
    if (output === '') return void (server && session.out(`Server Version: ${String(server['gitVersion'])}\n`));
    const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(own) ?? [];
    const found = {
      clientVersion: { gitVersion: own, major, minor, platform: 'linux/amd64' },
      kustomizeVersion: KUSTOMIZE_VERSION,
      ...(server ? { serverVersion: server } : {}),
    };
    session.out(output === 'yaml' ? formatYaml(found) : `${JSON.stringify(found, null, 2)}\n`);
  },
};

const apiVersions: Command = {
  flags: [],
  run: (session) =>
    session.out(
      [...new Set(session.resources.map(apiVersionOf))]
        .sort()
        .map((one) => `${one}\n`)
        .join(''),
    ),
};

const apiResources: Command = {
  flags: [
    ...['namespaced', 'api-group:', 'verbs:', 'o,output:', 'no-headers', 'sort-by:', 'categories:', 'cached'],
    'show-managed-fields',
  ],
  run(session) {
    const { flags } = session;
    const output = flags.value('output');
    if (!['', 'wide', 'name'].includes(output)) throw new KubectlFailure(`--output ${output} is not available`);
    const found = preferred(session.resources)
      .filter((one) => !flags.has('namespaced') || one.isNamespaced === flags.isOn('namespaced'))
      .filter((one) => !flags.has('api-group') || one.group === flags.value('api-group'))
      .filter((one) => flags.list('verbs').every((verb) => one.verbs.includes(verb)))
      .filter((one) => flags.list('categories').every((category) => one.categories.includes(category)))
      .sort(compareBy(flags.value('sort-by')));
    if (output === 'name') {
      for (const { plural, group } of found) session.out(`${plural}${group === '' ? '' : `.${group}`}\n`);
      return;
    }
    const isWide = output === 'wide';
    const rows = found.map((one) => [
      ...[one.plural, one.shortNames.join(','), apiVersionOf(one), String(one.isNamespaced), one.kind],
      ...(isWide ? [one.verbs.join(','), one.categories.join(',')] : []),
    ]);
    const header = [
      'NAME',
      'SHORTNAMES',
      'APIVERSION',
      'NAMESPACED',
      'KIND',
      ...(isWide ? ['VERBS', 'CATEGORIES'] : []),
    ];
    session.out(formatRows(flags.isOn('no-headers') ? rows : [header, ...rows]));
  },
};

/** Each group's resources in its first version. */
const preferred = (all: readonly ServerResource[]): ServerResource[] =>
  all.filter(({ group, plural }, at) => all.findIndex((one) => one.group === group && one.plural === plural) === at);

function compareBy(field: string): (a: ServerResource, b: ServerResource) => number {
  if (field !== '' && field !== 'name' && field !== 'kind')
    throw new KubectlFailure('--sort-by accepts only name or kind');
  const key = (one: ServerResource): string =>
    field === 'kind' ? one.kind : field === 'name' ? one.plural : `${one.group}\0${one.plural}`;
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}

const clusterInfo: Command = {
  flags: [],
  run(session) {
    const { scheme, host, port, prefix } = session.config;
    const server = `${scheme}://${host}${(scheme === 'https' && port === 443) || (scheme === 'http' && port === 80) ? '' : `:${port}`}${prefix}`;
    session.out(`Kubernetes control plane is running at ${server}\n`);
    const list = session.get(
      '/api/v1/namespaces/kube-system/services?labelSelector=kubernetes.io%2Fcluster-service%3Dtrue',
    );
    for (const one of (list['items'] ?? []) as readonly {
      metadata: { name: string; labels?: Record<string, string> };
      spec: { ports?: readonly { name?: string }[] };
    }[]) {
      const name = one.metadata.labels?.['kubernetes.io/name'] ?? one.metadata.name;
      const portName = one.spec.ports?.[0]?.name;
      const service = `${one.metadata.name}${portName === undefined ? '' : `:${portName}`}`;
      session.out(`${name} is running at ${server}/api/v1/namespaces/kube-system/services/${service}/proxy\n`);
    }
    session.out(`\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n`);
  },
};

const dump: Command = {
  flags: [...PRINT, 'output-directory:', 'namespaces:', 'A,all-namespaces', 'pod-running-timeout:'],
  run() {
    throw new KubectlFailure('cluster-info dump is not simulated');
  },
};

const events: Command = {
  flags: [...PRINT, 'A,all-namespaces', 'w,watch', 'for:', 'types:', 'no-headers', 'chunk-size:'],
  run(session) {
    if (session.flags.isOn('watch'))
      throw new KubectlFailure('--watch of events is not simulated: kubectl get events -w does');
    printEvents(session);
  },
};

export interface EventParts {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly lastTimestamp?: string | null;
  readonly firstTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly metadata: { readonly namespace?: string; readonly creationTimestamp?: string };
}

function printEvents(session: Session): void {
  const { flags } = session;
  const isEverywhere = flags.isOn('all-namespaces');
  const list = session.get(`/api/v1/${isEverywhere ? '' : `namespaces/${session.namespace}/`}events`);
  const types = flags.list('types').map((type) => type.toLowerCase());
  const [forKind = '', forName] = flags.value('for').split('/');
  const kind = forKind === '' ? '' : (session.resources.find((one) => isNamed(one, forKind))?.kind ?? forKind);
  const found = ((list['items'] ?? []) as readonly EventParts[])
    .filter(({ type = '' }) => types.length === 0 || types.includes(type.toLowerCase()))
    .filter(
      ({ involvedObject: of }) =>
        forKind === '' || (of?.kind === kind && (forName === undefined || of.name === forName)),
    )
    .sort((a, b) => (lastOf(a) < lastOf(b) ? -1 : 1));
  if (found.length === 0)
    return void session.err(
      isEverywhere ? 'No events found.\n' : `No events found in ${session.namespace} namespace.\n`,
    );
  const rows = found.map((one) => [
    ...(isEverywhere ? [one.metadata.namespace ?? ''] : []),
    ...[intervalOf(one, session.now), one.type ?? '', one.reason ?? ''],
    ...[`${one.involvedObject?.kind ?? ''}/${one.involvedObject?.name ?? ''}`, (one.message ?? '').trim()],
  ]);
  const header = [...(isEverywhere ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];
  session.out(formatRows(flags.isOn('no-headers') ? rows : [header, ...rows]));
}

const isNamed = ({ plural, singular, shortNames }: ServerResource, word: string): boolean =>
  plural === word || singular === word || shortNames.includes(word);

const lastOf = ({ series, lastTimestamp, eventTime, metadata }: EventParts): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

export function intervalOf(event: EventParts, now: number): string {
  const first = ageSince(event.firstTimestamp ?? event.eventTime ?? undefined, now);
  if (event.series) return `${ageSince(event.series.lastObservedTime, now)} (x${event.series.count} over ${first})`;
  if ((event.count ?? 1) > 1)
    return `${ageSince(event.lastTimestamp ?? undefined, now)} (x${event.count} over ${first})`;
  return first;
}

export const group: CommandGroup = {
  commands: {
    version,
    'api-versions': apiVersions,
    'api-resources': apiResources,
    'cluster-info': clusterInfo,
    'cluster-info dump': dump,
    events,
  },
};
