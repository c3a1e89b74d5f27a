import { toolImage } from '../../programs/server.js';
import { debian, debianOf } from '../bases.js';

export const image = toolImage({
  names: ['debian', 'buildpack-deps', 'public.ecr.aws/docker/library/debian', 'registry.k8s.io/debian-base'],
  tags: /^(latest|\d{1,2}(\.\d{1,2})?|v\d[\w.]*|(old){0,2}stable|testing|unstable|experimental|rc-buggy|sid|curl|scm|forky|trixie|bookworm|bullseye|buster|stretch|jessie|wheezy|noble|jammy|focal)(-[\w.-]+)?$/,
  layersMB: [48.5],
  config: { cmd: ['bash'] },
  files: debian(),
  variant: (tag) => ({ files: debianOf(tag) }),
});
