import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { admission, ALLOWED, conversion, type Asked, type Decision, type Wired } from '../../programs/review.js';

const NEVER_MS = 1e9;
const text = (body: string, status = 200): PodHttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});
const deny = (status: Decision['status']): Decision => ({ allowed: false, status });
const isAbout = ({ resource }: Asked, plural: string): boolean =>
  resource.group === '' && resource.version === 'v1' && resource.resource === plural;

interface Named {
  readonly name?: string;
}
interface PodLike extends Wired {
  spec?: { containers?: Named[]; initContainers?: Named[] };
}
const dataOf = (object: Wired | null): Record<string, string> => (object?.['data'] ?? {}) as Record<string, string>;
const has = (containers: readonly Named[] | undefined, name: string): boolean =>
  containers?.some((c) => c.name === name) ?? false;

/** Models test/images/agnhost/webhook: one decision a path. */
const DECISIONS: Readonly<Record<string, (asked: Asked, start: Start) => Decision | undefined>> = {
  '/always-allow-delay-5s': () => ({
    allowed: true,
    status: { message: 'this webhook allows all requests' },
    delayMs: 5_000,
  }),
  '/always-deny': () => deny({ message: 'this webhook denies all requests' }),
  '/add-label': ({ object }) => ({ allowed: true, patch: labelPatch(object?.metadata?.labels) }),
  '/pods': (asked) =>
    isAbout(asked, 'pods') ? judgePod(asked.object as PodLike) : deny({ message: 'expect resource to be { v1 pods}' }),
  '/pods/attach': judgeAttach,
  '/mutating-pods': (asked) =>
    mutatePod(
      asked,
      (pod) =>
        pod.metadata?.name === 'webhook-to-be-mutated' &&
        !has(pod.spec?.initContainers, 'webhook-added-init-container'),
      {
        op: 'add',
        path: '/spec/initContainers',
        value: [{ image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} }],
      },
    ),
  '/mutating-pods-sidecar': addSidecar,
  '/configmaps': (asked) =>
    isAbout(asked, 'configmaps')
      ? judgeData(
          asked,
          'the configmap contains unwanted key and value',
          'the configmap cannot be deleted because it contains unwanted key and value',
        )
      : undefined,
  '/mutating-configmaps': (asked) => (isAbout(asked, 'configmaps') ? mutateData(asked) : undefined),
  '/custom-resource': (asked) =>
    judgeData(
      asked,
      'the custom resource contains unwanted data',
      'the custom resource cannot be deleted because it contains unwanted key and value',
    ),
  '/mutating-custom-resource': mutateData,
  '/crd': ({ object }) =>
    object?.metadata?.labels?.['webhook-e2e-test'] === 'webhook-disallow'
      ? deny({ message: 'the crd contains unwanted label' })
      : ALLOWED,
};

/** The subcommands `webhook` and `crd-conversion-webhook`. */
export function answerReview(request: PodHttpRequest, start: Start): PodHttpAnswer {
  const route = request.path.split('?', 1)[0]!;
  if (route === '/readyz') return text('ok');
  if (start.argv.includes('crd-conversion-webhook'))
    return route === '/crdconvert' ? conversion(request, convertExample) : text('404 page not found\n', 404);
  const decide = DECISIONS[route];
  return decide ? admission(request, (asked) => decide(asked, start)) : text('404 page not found\n', 404);
}

function labelPatch(labels: Record<string, string> | undefined): object[] {
  if (!labels || Object.keys(labels).length === 0)
    return [{ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } }];
  const label = labels['added-label'];
  return label === 'yes'
    ? []
    : [{ op: label === undefined ? 'add' : 'replace', path: '/metadata/labels/added-label', value: 'yes' }];
}

function judgePod({ metadata, spec }: PodLike): Decision {
  const label = metadata?.labels?.['webhook-e2e-test'];
  const faults = [
    ...(label === 'webhook-disallow' ? ['the pod contains unwanted label;'] : []),
    ...(label === 'wait-forever' ? ['the pod response should not be sent;'] : []),
    ...(spec?.containers ?? [])
      .filter((c) => c.name?.includes('webhook-disallow'))
      .map(() => 'the pod contains unwanted container name;'),
  ];
  if (faults.length === 0) return ALLOWED;
  return { ...deny({ message: faults.join(' ') }), ...(label === 'wait-forever' ? { delayMs: NEVER_MS } : {}) };
}

function judgeAttach({ name, object }: Asked): Decision {
  const { stdin, container } = (object ?? {}) as { stdin?: boolean; container?: string };
  return name === 'to-be-attached-pod' && stdin && container === 'container1'
    ? deny({ message: "attaching to pod 'to-be-attached-pod' is not allowed" })
    : ALLOWED;
}

function mutatePod(asked: Asked, wanted: (pod: PodLike) => boolean, operation: object): Decision | undefined {
  if (!isAbout(asked, 'pods')) return undefined;
  return wanted(asked.object as PodLike) ? { allowed: true, patch: [operation] } : ALLOWED;
}

function addSidecar(asked: Asked, { argv }: Start): Decision | undefined {
  const image = argv.find((a) => a.startsWith('--sidecar-image='))?.slice('--sidecar-image='.length);
  if (!image)
    return deny({ status: 'Failure', message: 'No image specified by the sidecar-image parameter', code: 500 });
  return mutatePod(asked, (pod) => !has(pod.spec?.containers, 'webhook-added-sidecar'), {
    op: 'add',
    path: '/spec/containers/-',
    value: { image, name: 'webhook-added-sidecar', resources: {} },
  });
}

function judgeData({ operation, object, oldObject }: Asked, unwanted: string, kept: string): Decision {
  const mark = dataOf(operation === 'DELETE' ? oldObject : object)['webhook-e2e-test'];
  if (mark === 'webhook-disallow' && operation !== 'DELETE') return deny({ reason: unwanted });
  return mark === 'webhook-nondeletable' && operation === 'DELETE' ? deny({ reason: kept }) : ALLOWED;
}

function mutateData({ object }: Asked): Decision {
  const data = dataOf(object);
  const stage = data['mutation-stage-1'] === 'yes' ? 2 : data['mutation-start'] === 'yes' ? 1 : 0;
  return stage
    ? { allowed: true, patch: [{ op: 'add', path: `/data/mutation-stage-${stage}`, value: 'yes' }] }
    : ALLOWED;
}

/** Between hostPort ('host:80') in v1 and host and port in v2 of stable.example.com. */
function convertExample(object: Wired, apiVersion: string): Wired | string {
  const { hostPort, host, port, ...rest } = object;
  if (object.apiVersion === apiVersion)
    return `conversion from a version to itself should not call the webhook: ${apiVersion}`;
  if (object.apiVersion === 'stable.example.com/v1' && apiVersion === 'stable.example.com/v2') {
    if (hostPort === undefined) return { ...object };
    const parts = String(hostPort).split(':');
    return parts.length === 2
      ? { ...object, hostPort: undefined, host: parts[0], port: parts[1] }
      : `invalid hostPort value \`${String(hostPort)}\``;
  }
  if (object.apiVersion === 'stable.example.com/v2' && apiVersion === 'stable.example.com/v1') {
    return host === undefined && port === undefined
      ? { ...object }
      : { ...rest, hostPort: `${String(host ?? '')}:${String(port ?? '')}` };
  }
  return `unexpected conversion version ${JSON.stringify(/^stable\.example\.com\/v[12]$/.test(object.apiVersion ?? '') ? apiVersion : object.apiVersion)}`;
}
