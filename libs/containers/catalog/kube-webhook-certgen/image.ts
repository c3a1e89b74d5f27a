import { distrolessLayer } from '../../layers/index.js';
import { Secrets, type Process, type Start } from '@terrarium/engine';
import { pem, trust } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { apiTask, fatal, flag, logrus } from '../../programs/task.js';

/** `create`: a secret with a certificate authority, a certificate and its key, unless it is there. */
function create(start: Start): Process {
  const [name, namespace, host] = [flag(start, 'secret-name'), flag(start, 'namespace'), flag(start, 'host')];
  const lines = [
    logrus(start, 200, 'k8s/k8s.go:229', 'no secret found', `secrets "${name}" not found`),
    logrus(start, 210, 'cmd/create.go:28', 'creating new secret'),
  ];
  return apiTask(lines, (api) => {
    if (api.get(Secrets, { namespace, name })) return;
    const data = {
      ca: pem('CERTIFICATE', 'authority'),
      [flag(start, 'cert-name', 'cert')]: pem('CERTIFICATE', host),
      [flag(start, 'key-name', 'key')]: pem('EC PRIVATE KEY', host),
    };
    api.create(Secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data });
  });
}

/** `patch`: puts the authority into webhook configurations. Fails while there is no secret. */
function patch(start: Start): Process {
  const [validating, mutating] = [
    flag(start, 'patch-validating', 'true') === 'true',
    flag(start, 'patch-mutating', 'true') === 'true',
  ];
  const [webhook, policy] = [flag(start, 'webhook-name'), flag(start, 'patch-failure-policy')];
  const lines = [
    logrus(
      start,
      200,
      'k8s/k8s.go:118',
      `patching webhook configurations '${webhook}' mutating=${mutating}, validating=${validating}, failurePolicy=${policy}`,
    ),
    logrus(start, 300, 'k8s/k8s.go:138', 'Patched hook(s)'),
  ];
  return apiTask(lines, (api) => {
    const [name, namespace] = [flag(start, 'secret-name'), flag(start, 'namespace')];
    const caBundle = api.get(Secrets, { namespace, name })?.data?.['ca'];
    if (caBundle === undefined) throw fatal(`no secret with '${name}' in '${namespace}'`);
    for (const sort of [...(validating ? ['validating' as const] : []), ...(mutating ? ['mutating' as const] : [])]) {
      if (!trust(api, sort, webhook, caBundle, policy)) throw fatal(`failed getting ${sort} webhook`);
    }
  });
}

const server = serverImage(
  {
    names: [
      'registry.k8s.io/ingress-nginx/kube-webhook-certgen',
      'k8s.gcr.io/ingress-nginx/kube-webhook-certgen',
      'jettech/kube-webhook-certgen',
    ],
    tags: /^v?\d+(\.\d+){0,2}(-[\w.]+)?$/,
    layersMB: [0.7, 17.6],
    files: distrolessLayer,
    commands: 'any',
    config: { entrypoint: ['/kube-webhook-certgen'], user: '65532' },
  },
  {},
);

/** Makes certificates for admission webhooks: the jobs beside ingress-nginx and others. */
export const image = {
  ...server,
  start: (start: Start): Process | undefined =>
    start.argv.includes('create') ? create(start) : start.argv.includes('patch') ? patch(start) : server.start(start),
};
