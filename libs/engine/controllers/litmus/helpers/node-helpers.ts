import type { Container, Toleration } from '../../../api/core_v1.js';
import type { HelperGiven, HelperSpec } from './helper-spec.js';

const PRIVILEGED = { privileged: true };
const OF_NODES = { ofPods: false, parts: 3, hostPID: false, isNamed: false, seconds: 30 } as const;

const tolerate = (seconds: number): readonly Toleration[] =>
  ['not-ready', 'unreachable'].map((key) => ({
    ...{ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds + 60 },
  }));

const service = (name: string, seconds: number): HelperSpec => ({
  ...{ ...OF_NODES, isNamed: true, seconds, tolerations: tolerate, image: 'ubuntu:16.04' },
  container: (given) => ({
    command: ['/bin/bash'],
    args: ['-c', `sleep 10 && systemctl stop ${name} && sleep ${given.seconds} && systemctl start ${name}`],
    ...{ securityContext: PRIVILEGED, tty: true },
    volumeMounts: [
      { name: 'bus', mountPath: '/var/run' },
      { name: 'root', mountPath: '/node' },
    ],
  }),
  volumes: () => [
    { name: 'bus', hostPath: { path: '/var/run' } },
    { name: 'root', hostPath: { path: '/' } },
  ],
});

const stressNode = (seconds: number, args: (given: HelperGiven) => readonly string[]): HelperSpec => ({
  ...{ ...OF_NODES, seconds },
  container: (given) => ({ command: ['stress-ng'], args: [...args(given)] }),
});

const KEY = '/data/ssh-privatekey';
const reboot = ({ env, address, runId }: HelperGiven): Partial<Container> => {
  const options = `-o "StrictHostKeyChecking=no" -o "UserKnownHostsFile=/dev/null" -i ${KEY}`;
  const login = `${env.get('SSH_USER') || 'root'}@${address}`;
  const run = `ssh ${options} ${login} ${env.get('REBOOT_COMMAND') || 'sudo systemctl reboot'}`;
  return {
    ...{ command: ['/bin/sh'], args: ['-c', `cp /mnt/ssh-privatekey ${KEY} && chmod 400 ${KEY} && ${run}`] },
    volumeMounts: [
      { name: `private-key-cm-${runId}`, mountPath: '/mnt' },
      { name: `empty-dir-${runId}`, mountPath: '/data' },
    ],
  };
};

/** Helpers of experiments on nodes. */
export const NODE_HELPERS: Readonly<Record<string, HelperSpec>> = {
  'kubelet-service-kill': service('kubelet', 90),
  'docker-service-kill': service('docker', 90),
  'node-restart': {
    ...{ ...OF_NODES, isNamed: true, isElsewhere: true, container: reboot },
    volumes: ({ runId }) => [
      { name: `private-key-cm-${runId}`, secret: { secretName: 'id-rsa' } },
      { name: `empty-dir-${runId}`, emptyDir: {} },
    ],
  },
  'node-cpu-hog': stressNode(30, ({ env, amount, seconds }) => [
    ...['--cpu', amount, '--cpu-load', env.get('CPU_LOAD') || '100', '--timeout', String(seconds)],
  ]),
  'node-memory-hog': stressNode(60, ({ env, amount, seconds }) => [
    ...['--vm', env.get('NUMBER_OF_WORKERS') || '1', '--vm-bytes', amount, '--timeout', `${seconds}s`],
  ]),
};
