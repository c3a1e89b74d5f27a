import { withAccounts } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine, withAlpinePackages } from '../bases.js';

const USER = ['curl_user', 100, 101, 'Linux User,,,', '/home/curl_user', '/bin/sh'] as const;

/** curl on Alpine; what stands in `args` are its own options. */
export const image = toolImage({
  names: ['curlimages/curl'],
  tags: /^(latest|\d+\.\d+(\.\d+)?)$/,
  layersMB: [3.6, 2.1, 0.9],
  config: { cmd: ['curl'], user: 'curl_user' },
  files: withAccounts(withAlpinePackages(alpine(), 'curl'), [USER], [['curl_group', 101]]),
});
