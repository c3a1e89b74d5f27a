import { debianPackages, directory, executable, joinLayers, readPrograms, withAccounts } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { ubi } from '../families/distributions.js';

const USER = 2_000;
/** Of the user `litmus`, and for any user of group 0. */
const own = (program: string, size: number) => ({ ...executable(program, size), user: USER });

/** litmus-go's experiments and helpers, with the tools that they call. Left out: promql, toxiproxy, docker. */
export const image = toolImage({
  names: ['litmuschaos/go-runner', 'litmuschaos.docker.scarf.sh/litmuschaos/go-runner'],
  tags: /^[a-zA-Z0-9][\w.-]*$/,
  layersMB: [77.4, 66.1, 118.2],
  config: {
    user: 'litmus',
    workingDir: '/litmus',
    cmd: ['/bin/bash'],
    env: { APP_USER: 'litmus', APP_DIR: '/litmus' },
  },
  files: joinLayers(
    withAccounts(
      joinLayers(ubi(), debianPackages('iproute2', 'iptables', 'procps')),
      [['litmus', USER, USER, '', '/litmus', '/bin/true']],
      [['litmus', USER]],
    ),
    readPrograms('/usr/bin kubectl kubectl'),
    readPrograms('/usr/sbin node crictl'),
    {
      '/litmus': { ...directory(0o775), user: USER },
      '/litmus/experiments': own('litmus:experiments', 77_000_000),
      '/litmus/helpers': own('litmus:helpers', 75_000_000),
      '/usr/bin/stress-ng': executable('apps:stress-ng', 3_800_000),
      '/usr/bin/systemctl': executable('litmus:systemctl', 1_100_000),
      '/usr/bin/ssh': executable('litmus:ssh', 860_000),
      '/usr/bin/sudo': executable('node:sudo', 190_000),
    },
  ),
});
