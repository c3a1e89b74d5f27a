import { at, listAt, textAt, type KubeObject } from '../../../../kube/object.js';

/** A port of an object, or a host of an Ingress. */
export interface Door {
  /** As people call it: "http 80/TCP". */
  readonly label: string;
  /** What it leads to: "→ http, node port 30080"; '' for nothing more. */
  readonly detail: string;
  /** As POST /v1/clusters/{id}/links takes it; undefined for what no browser opens. */
  readonly where: string | undefined;
  /** A name for it that differs from all others of the object. */
  readonly key: string;
}

const TLS_PORTS: ReadonlySet<string> = new Set(['443', '8443', '6443', '9443']);

/** Where one comes into a pod, a Service or an Ingress; [] for all others. */
export function doorsOf(object: KubeObject): Door[] {
  const { kind, apiVersion, metadata } = object;
  const place = `${metadata.name}.${metadata.namespace ?? ''}`;
  if (apiVersion === 'v1' && kind === 'Pod')
    return listAt(object, 'spec', 'containers').flatMap((container) =>
      listAt(container, 'ports').map((port) => {
        const number = textAt(port, 'containerPort');
        return doorOf(port, number, `${place}.pod`, textAt(container, 'name'));
      }),
    );
  if (apiVersion === 'v1' && kind === 'Service')
    return listAt(object, 'spec', 'ports').map((port) =>
      doorOf(port, textAt(port, 'port'), `${place}.svc`, leadsTo(port)),
    );
  if (kind === 'Ingress') return listAt(object, 'spec', 'rules').map(hostDoor);
  return [];
}

function doorOf(port: unknown, number: string, place: string, detail: string): Door {
  const name = textAt(port, 'name');
  const protocol = textAt(port, 'protocol') || 'TCP';
  const isTls = name.startsWith('https') || (TLS_PORTS.has(number) && !name.startsWith('http'));
  const label = `${name && `${name} `}${number}/${protocol}`;
  return {
    ...{ label, detail, key: `${detail} ${label}` },
    where: protocol === 'TCP' ? `${isTls ? 'https-' : ''}${number}.${place}` : undefined,
  };
}

function leadsTo(port: unknown): string {
  const target = textAt(port, 'targetPort');
  const node = textAt(port, 'nodePort');
  return [target && `→ ${target}`, node && `node port ${node}`].filter(Boolean).join(', ');
}

function hostDoor(rule: unknown): Door {
  const host = textAt(rule, 'host');
  const paths = listAt(rule, 'http', 'paths').map((path) => {
    const service = at(path, 'backend', 'service');
    const port = textAt(service, 'port', 'name') || textAt(service, 'port', 'number');
    return `${textAt(path, 'path') || '/'} → ${textAt(service, 'name')}${port && `:${port}`}`;
  });
  const label = host || '*';
  const hasName = host !== '' && !host.includes('*');
  return { label, detail: paths.join(', '), where: hasName ? host : undefined, key: `${label} ${paths.join()}` };
}
