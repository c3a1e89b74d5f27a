import { toolImage } from '../../programs/server.js';
import { debian, withDebianPackages } from '../bases.js';

/** Other base systems. Their tools are those of Debian: GNU's, as their own are. Left out: pacman, zypper. */
export const image = toolImage({
  names: ['archlinux', 'opensuse/leap'],
  tags: /^[a-z0-9][\w.-]*$/,
  layersMB: [66.4],
  config: { cmd: ['/bin/bash'] },
  files: withDebianPackages(debian(), 'procps', 'curl'),
});
