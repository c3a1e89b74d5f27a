import { toolImage } from '../../programs/server.js';
import { debian, debianOf } from '../bases.js';

export const image = toolImage({
  names: ['debian', 'buildpack-deps', 'public.ecr.aws/docker/library/debian', 'registry.k8s.io/debian-base'],
  tags: /^[a-z0-9][\w.-]*$/,
  layersMB: [48.5],
  config: { cmd: ['bash'] },
  files: debian(),
  variant: (tag) => ({ files: debianOf(tag) }),
});
