import { file, joinLayers, withAccounts } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine, withAlpinePackages } from '../bases.js';

const USER = ['curl_user', 100, 101, 'Linux User,,,', '/home/curl_user', '/bin/sh'] as const;

/** Options, addresses and words that are no program are curl's; its words are ours. */
const ENTRYPOINT = `#!/bin/sh
set -e
case "$1" in -*) set -- curl "$@" ;; esac
command -v "$1" >/dev/null 2>&1 || set -- curl "$@"
exec "$@"
`;

/** curl on Alpine; what stands in `args` are its own options. */
export const image = toolImage({
  names: ['curlimages/curl'],
  tags: /^(latest|\d+\.\d+(\.\d+)?)$/,
  layersMB: [3.6, 2.1, 0.9],
  config: { entrypoint: ['/entrypoint.sh'], cmd: ['curl'], user: 'curl_user' },
  files: joinLayers(withAccounts(withAlpinePackages(alpine(), 'curl'), [USER], [['curl_group', 101]]), {
    '/entrypoint.sh': file(ENTRYPOINT, 0o755),
  }),
});
