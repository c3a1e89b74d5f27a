import { joinLayers, readPrograms, withAccounts } from '../../layers/index.js';
import { ApiError, Secrets, type Process, type Start } from '@terrarium/engine';
import { serverImage } from '../../programs/server.js';
import { shareLayer, ubuntu } from '../bases.js';
import { tolerating } from '../../programs/authority.js';
import { apiTask, passwordOf } from '../../programs/task.js';
import { keepInitialPassword } from './admin.js';

const SECRET = 'argocd-redis';
const SERVER = /(?:^|\/)argocd-server$/;

/** Ubuntu with one binary of many names: summaries stand for its servers, other commands say that they are not here. */
const files = shareLayer('argocd', () =>
  withAccounts(
    joinLayers(
      ubuntu('24.04'),
      readPrograms(
        '/usr/local/bin argocd argocd argocd-server argocd-repo-server argocd-application-controller argocd-dex argocd-cmp-server helm kustomize',
      ),
    ),
    [['argocd', 999, 999, '', '/home/argocd', '/bin/sh']],
    [['argocd', 999]],
  ),
);

const server = serverImage(
  {
    names: ['quay.io/argoproj/argocd'],
    tags: /^(latest|stable|v\d+(\.\d+){0,2}(-[\w.]+)?)$/,
    layersMB: [29.5, 78.1, 64.2, 15.9],
    files,
    commands: 'any',
    config: { user: '999', entrypoint: ['/usr/bin/tini', '--'] },
  },
  {
    ...{ declared: true, probed: true, readyAfterMs: 2500, wakes: [] },
    tends: (api, start) =>
      tolerating(() => {
        if (start.argv.some((word) => SERVER.test(word))) keepInitialPassword(api, start);
        return true;
      }),
  },
);

/** `argocd admin redis-initial-password`: a password for Redis, unless there is one. */
function redisPassword(start: Start): Process {
  const { namespace } = start.pod;
  const lines = [
    `Checking for initial Redis password in secret ${namespace}/${SECRET} at key auth. `,
    `Argo CD Redis secret state confirmed: secret name ${SECRET}.`,
    'Password secret is configured properly.',
  ];
  return apiTask(
    lines.map((text, i) => ({ at: 100 + i, text })),
    (api) => {
      try {
        api.create(Secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace, name: SECRET },
          type: 'Opaque',
          data: { auth: btoa(passwordOf(start)) },
        });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 409) throw error;
      }
    },
  );
}

/** Argo CD: its servers, and the task that gives its Redis a password. */
export const image = {
  ...server,
  start: (start: Start): Process | undefined =>
    start.argv.includes('redis-initial-password') ? redisPassword(start) : server.start(start),
};
