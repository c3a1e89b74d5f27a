import { toolImage } from '../../programs/server.js';
import { alpine } from '../bases.js';

export const image = toolImage({
  names: ['alpine', 'public.ecr.aws/docker/library/alpine'],
  tags: /^(latest|edge|3|3\.([0-9]|1[0-9]|2[0-3])(\.\d{1,2})?|20\d{6})$/,
  layersMB: [3.86],
  config: { cmd: ['/bin/sh'] },
  files: alpine(),
  variant: (tag) => ({ files: alpine(tag) }),
});
