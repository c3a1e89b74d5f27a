import { toolImage } from '../../programs/server.js';
import { ubuntu } from '../bases.js';

export const image = toolImage({
  names: ['ubuntu', 'public.ecr.aws/docker/library/ubuntu'],
  tags: /^[a-z0-9][\w.-]*$/,
  layersMB: [29.7],
  config: { cmd: ['/bin/bash'] },
  files: ubuntu(),
  variant: (tag) => ({ files: ubuntu(tag) }),
});
