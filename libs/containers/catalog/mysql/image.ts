import { toolImage } from '../../programs/server.js';
import { mysqlFiles, mysqlVariables } from './files.js';

/** MySQL, whose server and tools run in the pod's machine: its data are files. */
export const image = toolImage({
  names: ['mysql', 'bitnami/mysql', 'public.ecr.aws/docker/library/mysql'],
  tags: /^(latest|lts|innovation|oracle|5|5\.[5-7](\.\d{1,2})?|8|8\.[0-4](\.\d{1,2})?|9|9\.\d(\.\d)?)(-(debian|oracle|oraclelinux9)[a-z0-9.]*)?$/,
  layersMB: [48.2, 0.9, 4.6, 14.1, 118.3, 0.01],
  files: mysqlFiles(false),
  variant: (tag) => ({ files: mysqlFiles(false), env: mysqlVariables(tag) }),
  config: {
    exposedPorts: [3306, 33060],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['mysqld'],
    env: mysqlVariables('latest'),
  },
});
