import { toolImage } from '../../programs/server.js';
import { LATEST, zookeeperFiles, zookeeperVariables } from './files.js';

/** ZooKeeper runs in the pod's machine: its data are files. */
export const image = toolImage({
  names: ['zookeeper', 'public.ecr.aws/docker/library/zookeeper'],
  tags: /^(latest|3\.[4-9](\.\d{1,2})?)(-[a-z0-9.-]+)?$/,
  layersMB: [29.7, 45.2, 156.1, 0.001, 19.6],
  files: zookeeperFiles('latest'),
  variant: (tag) => ({ files: zookeeperFiles(tag), env: zookeeperVariables(tag) }),
  config: {
    exposedPorts: [2181, 2888, 3888, 8080],
    entrypoint: ['/docker-entrypoint.sh'],
    cmd: ['zkServer.sh', 'start-foreground'],
    workingDir: `/apache-zookeeper-${LATEST}-bin`,
    env: zookeeperVariables('latest'),
  },
});
