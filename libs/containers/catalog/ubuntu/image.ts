import { toolImage } from '../../programs/server.js';
import { ubuntu } from '../bases.js';

export const image = toolImage({
  names: ['ubuntu', 'public.ecr.aws/docker/library/ubuntu'],
  tags: /^(latest|rolling|devel|\d\d\.(04|10)(\.\d)?|resolute|questing|plucky|oracular|noble|mantic|lunar|kinetic|jammy|impish|hirsute|groovy|focal|eoan|disco|cosmic|bionic|artful|zesty|yakkety|xenial|wily|vivid|trusty|precise)(-[\w.-]+)?$/,
  layersMB: [29.7],
  config: { cmd: ['/bin/bash'] },
  files: ubuntu(),
  variant: (tag) => ({ files: ubuntu(tag) }),
});
