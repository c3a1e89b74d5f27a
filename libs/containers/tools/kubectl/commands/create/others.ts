import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { PRINT, WRITE } from '../../flags/groups.js';
import type { Command } from '../command.js';
import { parseQuantities } from '../write/quantities.js';
import { createObject, nameOfArgs, requireFlags } from './object.js';

const FLAGS = [...PRINT, ...WRITE];

const namespace: Command = {
  flags: FLAGS,
  run: (session) =>
    void createObject(
      session,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: nameOfArgs(session) }, spec: {}, status: {} },
      '',
    ),
};

const quota: Command = {
  flags: [...FLAGS, 'hard:', 'scopes:'],
  run(session) {
    const name = nameOfArgs(session);
    const hard = parseQuantities(session.flags.value('hard'));
    const scopes = session.flags.list('scopes');
    const spec = { ...(hard ? { hard } : {}), ...(scopes.length > 0 ? { scopes } : {}) };
    createObject(session, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec, status: {} }, 'quota');
  },
};

const NO_PODS = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };

const budget: Command = {
  flags: [...FLAGS, 'selector:', 'min-available:', 'max-unavailable:'],
  run(session) {
    const name = nameOfArgs(session);
    const { flags } = session;
    const [min, max] = [flags.value('min-available'), flags.value('max-unavailable')];
    if (flags.value('selector') === '') throw new KubectlFailure('a selector must be specified');
    if (min === '' && max === '') throw new KubectlFailure('one of min-available or max-unavailable must be specified');
    if (min !== '' && max !== '')
      throw new KubectlFailure('min-available and max-unavailable cannot be both specified');
    const count = (text: string): number | string => (text.endsWith('%') ? text : Number(text));
    const matchLabels = Object.fromEntries(
      flags
        .value('selector')
        .split(',')
        .map((part) => part.split('=') as [string, string]),
    );
    const spec = {
      ...(min === '' ? { maxUnavailable: count(max) } : { minAvailable: count(min) }),
      selector: { matchLabels },
    };
    const object = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec, status: NO_PODS };
    createObject(session, object, 'poddisruptionbudgets');
  },
};

const priority: Command = {
  flags: [...FLAGS, 'value:', 'global-default', 'description:', 'preemption-policy:'],
  run(session) {
    const { flags } = session;
    const object: ApiObject = {
      ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: nameOfArgs(session) } },
      ...{ value: Number(flags.value('value') || 0) },
      ...(flags.value('description') === '' ? {} : { description: flags.value('description') }),
      ...(flags.isOn('global-default') ? { globalDefault: true } : {}),
      preemptionPolicy: flags.value('preemption-policy') || 'PreemptLowerPriority',
    };
    createObject(session, object, 'priorityclass');
  },
};

/** `80`, `80:8080`, `5678:http`. Throws KubectlFailure. */
function portsOf(session: Session, nodePort?: string): object[] {
  return session.flags.list('tcp').map((text) => {
    const [port = '', target = port] = text.split(':');
    if (!/^\d+$/.test(port)) throw new KubectlFailure(`invalid port: ${port}`);
    return {
      ...{ name: text.replace(':', '-'), protocol: 'TCP', port: Number(port) },
      targetPort: /^\d+$/.test(target) ? Number(target) : target,
      ...(nodePort ? { nodePort: Number(nodePort) } : {}),
    };
  });
}

const service = (type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'): Command => ({
  flags: [...FLAGS, 'tcp:', 'clusterip:', 'node-port:', 'external-name:'],
  run(session) {
    const name = nameOfArgs(session);
    const { flags } = session;
    const address = flags.value('clusterip');
    if (type === 'ExternalName') requireFlags(session, 'external-name');
    const ports = portsOf(session, type === 'NodePort' ? flags.value('node-port') : undefined);
    if (ports.length === 0 && type !== 'ExternalName' && address !== 'None')
      throw new KubectlFailure('at least one tcp port specifier must be provided');
    const labels = { app: name };
    const spec = {
      ...(ports.length > 0 ? { ports } : {}),
      ...(type === 'ExternalName' ? { externalName: flags.value('external-name') } : {}),
      ...{ selector: labels, type },
      ...(address === '' ? {} : { clusterIP: address }),
    };
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels },
      spec,
      status: { loadBalancer: {} },
    };
    createObject(session, object, `${type} service`);
  },
});

const ingress: Command = {
  flags: [...FLAGS, 'rule:', 'class:', 'default-backend:', 'annotation:'],
  run(session) {
    const { flags } = session;
    const name = nameOfArgs(session);
    if (!flags.has('rule') && !flags.has('default-backend'))
      throw new KubectlFailure(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      );
    const annotations = Object.fromEntries(
      flags.all('annotation').map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]),
    );
    const spec = {
      ...(flags.has('class') ? { ingressClassName: flags.value('class') } : {}),
      ...(flags.has('default-backend') ? { defaultBackend: backendOf(flags.value('default-backend')) } : {}),
      ...(flags.has('rule') ? rulesOf(flags.all('rule')) : {}),
    };
    const metadata = { name, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
    createObject(
      session,
      { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec, status: { loadBalancer: {} } },
      'ingress',
    );
  },
};

function backendOf(text: string): object {
  const [name = '', port = ''] = text.split(':');
  return { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

/** `host/path=svc:port[,tls[=secret]]`. Throws KubectlFailure. */
function rulesOf(texts: readonly string[]): object {
  const hosts = new Map<string, object[]>();
  const tls: object[] = [];
  for (const text of texts) {
    const found = /^([^/=,]*)(\/[^=,]*)?=([^,:]+:[^,]+)(,tls(?:=([^,]*))?)?$/.exec(text);
    if (!found)
      throw new KubectlFailure(
        `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
      );
    const [, host = '', whole = '/', target = '', hasTls, secret] = found;
    const isPrefix = whole.endsWith('*');
    const path = {
      backend: backendOf(target),
      path: isPrefix ? whole.slice(0, -1) || '/' : whole,
      pathType: isPrefix ? 'Prefix' : 'Exact',
    };
    hosts.set(host, [...(hosts.get(host) ?? []), path]);
    if (hasTls !== undefined)
      tls.push({ ...(host === '' ? {} : { hosts: [host] }), ...(secret ? { secretName: secret } : {}) });
  }
  const rules = [...hosts].map(([host, paths]) => ({ ...(host === '' ? {} : { host }), http: { paths } }));
  return { rules, ...(tls.length > 0 ? { tls } : {}) };
}

export const others: Readonly<Record<string, Command>> = {
  'create namespace': namespace,
  'create ns': namespace,
  'create quota': quota,
  'create resourcequota': quota,
  'create poddisruptionbudget': budget,
  'create pdb': budget,
  'create priorityclass': priority,
  'create pc': priority,
  'create service clusterip': service('ClusterIP'),
  'create service nodeport': service('NodePort'),
  'create service loadbalancer': service('LoadBalancer'),
  'create service externalname': service('ExternalName'),
  'create svc clusterip': service('ClusterIP'),
  'create svc nodeport': service('NodePort'),
  'create svc loadbalancer': service('LoadBalancer'),
  'create svc externalname': service('ExternalName'),
  'create ingress': ingress,
  'create ing': ingress,
};
