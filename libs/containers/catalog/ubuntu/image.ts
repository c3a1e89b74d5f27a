import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { ubuntu } from '../bases.js';

/** Before 18.04 systemd was in it: LitmusChaos' helpers of nodes use that. */
const WITH_SYSTEMD = /^(16\.04|xenial)/;

const filesOf = (tag: string): ImageFiles =>
  WITH_SYSTEMD.test(tag)
    ? joinLayers(ubuntu(tag), { '/usr/bin/systemctl': executable('litmus:systemctl', 659_000) })
    : ubuntu(tag);

export const image = toolImage({
  names: ['ubuntu', 'public.ecr.aws/docker/library/ubuntu'],
  tags: /^(latest|rolling|devel|\d\d\.(04|10)(\.\d)?|resolute|questing|plucky|oracular|noble|mantic|lunar|kinetic|jammy|impish|hirsute|groovy|focal|eoan|disco|cosmic|bionic|artful|zesty|yakkety|xenial|wily|vivid|trusty|precise)(-[\w.-]+)?$/,
  layersMB: [29.7],
  config: { cmd: ['/bin/bash'] },
  files: ubuntu(),
  variant: (tag) => ({ files: filesOf(tag) }),
});
