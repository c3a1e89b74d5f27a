import { toolImage } from '../../programs/server.js';
import { mariaVariables, mysqlFiles } from '../mysql/files.js';

/** MariaDB: MySQL's protocol and most of its words. */
export const image = toolImage({
  names: ['mariadb', 'bitnami/mariadb'],
  tags: /^(latest|lts|noble|jammy|focal|ubi9?|5\.5|1[0-2](\.\d{1,2}){0,2})(-(jammy|noble|focal|ubi|ubi9)[a-z0-9.]*)?$/,
  layersMB: [29.7, 0.9, 4.6, 14.1, 96.3, 0.01],
  files: mysqlFiles(true),
  variant: (tag) => ({ files: mysqlFiles(true), env: mariaVariables(tag) }),
  config: {
    exposedPorts: [3306],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['mariadbd'],
    env: mariaVariables('latest'),
  },
});
