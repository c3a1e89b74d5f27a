import { toolImage } from '../../programs/server.js';
import { tutorialFiles } from '../zookeeper/files.js';

/** ZooKeeper as Kubernetes' tutorial on distributed coordinators runs it. */
export const image = toolImage({
  names: ['registry.k8s.io/kubernetes-zookeeper', 'gcr.io/google_containers/kubernetes-zookeeper'],
  tags: /^(latest|1\.0(-3\.4\.10)?)$/,
  layersMB: [44.6, 80.3, 35.2, 0.01],
  files: tutorialFiles(),
  config: { cmd: ['/bin/bash'], env: { JAVA_HOME: '/usr/lib/jvm/java-8-openjdk-amd64' } },
});
