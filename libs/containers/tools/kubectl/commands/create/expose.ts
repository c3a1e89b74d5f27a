import { recordCause, recording } from '../write/record.js';
import { findObjects, type Found } from '../../discovery/targets.js';
import { FILES, PRINT, WRITE } from '../../flags/groups.js';
import { KubectlFailure } from '../../session/failure.js';
import { printObject, readFormat } from '../../output/printer.js';
import type { ApiObject, Session } from '../../session/session.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command } from '../command.js';

interface Ports {
  readonly containers?: readonly {
    readonly ports?: readonly { readonly containerPort: number; readonly protocol?: string }[];
  }[];
}

/** Models kubectl expose: a Service for the pods of an object. */
export const expose: Command = recording({
  flags: [
    ...[...FILES, ...PRINT, ...WRITE, 'port:', 'target-port:', 'name:', 'type:', 'protocol:', 'l,labels:', 'selector:'],
    ...['external-ip:', 'load-balancer-ip:', 'cluster-ip:', 'session-affinity:', 'overrides:', 'override-type:'],
  ],
  run(session) {
    for (const found of findObjects(session)) exposeOne(session, found);
  },
});

function exposeOne(session: Session, found: Found): void {
  const { flags } = session;
  const name = flags.value('name') || found.name;
  if (name.length > 63) throw new KubectlFailure(`invalid service name: ${name}`);
  const spec = {
    ports: portsOf(session, found),
    selector: selectorOf(session, found),
    ...(flags.has('type') ? { type: flags.value('type') } : {}),
    ...(flags.has('external-ip') ? { externalIPs: [flags.value('external-ip')] } : {}),
    ...(flags.has('load-balancer-ip') ? { loadBalancerIP: flags.value('load-balancer-ip') } : {}),
    ...(flags.has('cluster-ip') ? { clusterIP: flags.value('cluster-ip') } : {}),
    ...(flags.has('session-affinity') ? { sessionAffinity: flags.value('session-affinity') } : {}),
  };
  const labels = flags.has('labels') ? pairsOf(flags.value('labels')) : found.object.metadata?.labels;
  const object: ApiObject = recordCause(session, {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, ...(labels ? { labels } : {}) } },
    ...{ spec, status: { loadBalancer: {} } },
  });
  const made =
    dryRunOf(session) === 'client'
      ? object
      : session.post(`/api/v1/namespaces/${found.namespace}/services${writeQuery(session, 'kubectl-expose')}`, object);
  if (flags.has('output')) return session.out(printObject(session, readFormat(session), made));
  session.out(`service/${name} exposed${dryRunSuffix(session)}\n`);
}

const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(',').map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string]));

function selectorOf(session: Session, { resource, object }: Found): Record<string, string> {
  if (session.flags.has('selector')) return pairsOf(session.flags.value('selector'));
  if (resource.plural === 'pods') {
    const labels = object.metadata?.labels;
    if (!labels || Object.keys(labels).length === 0)
      throw new KubectlFailure(
        `couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed`,
      );
    return { ...labels };
  }
  const selector = (
    (object['spec'] ?? {}) as { selector?: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] } }
  ).selector;
  if (selector?.matchExpressions && selector.matchExpressions.length > 0)
    throw new KubectlFailure(
      `couldn't convert expressions - "${JSON.stringify(selector.matchExpressions)}" to map-based selector format`,
    );
  const found =
    resource.plural === 'services' || resource.plural === 'replicationcontrollers' ? selector : selector?.matchLabels;
  if (!found || !['services', 'replicationcontrollers', 'deployments', 'replicasets'].includes(resource.plural))
    throw new KubectlFailure(`cannot expose a ${resource.kind}`);
  return { ...(found as Record<string, string>) };
}

function portsOf(session: Session, { object, resource }: Found): object[] {
  const { flags } = session;
  const target = flags.value('target-port');
  const isNumber = (text: string): boolean => /^\d+$/.test(text);
  const spec = (object['spec'] ?? {}) as {
    template?: { spec?: Ports };
    ports?: readonly { port: number; protocol?: string }[];
  } & Ports;
  const own =
    resource.plural === 'services'
      ? (spec.ports ?? []).map(({ port, protocol }) => ({ containerPort: port, protocol }))
      : ((spec.template?.spec ?? spec).containers ?? []).flatMap(({ ports = [] }) => ports);
  const numbers = flags.has('port') ? flags.list('port') : own.map(({ containerPort }) => String(containerPort));
  if (numbers.length === 0) throw new KubectlFailure("couldn't find port via --port flag or introspection");
  const bad = numbers.find((text) => !isNumber(text));
  if (bad !== undefined) throw new KubectlFailure(`strconv.Atoi: parsing "${bad}": invalid syntax`);
  return numbers.map((text, at) => {
    const to = target === '' ? text : target;
    return {
      ...(numbers.length > 1 ? { name: `port-${at + 1}` } : {}),
      ...{ port: Number(text), protocol: flags.value('protocol') || own[at]?.protocol || 'TCP' },
      targetPort: isNumber(to) ? Number(to) : to,
    };
  });
}
