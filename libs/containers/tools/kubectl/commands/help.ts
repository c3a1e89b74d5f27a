/** What commands print that only have others below them. */
const about = (path: string, sentence: string, commands: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 3;
  const lines = Object.entries(commands).map(([name, does]) => `  ${name.padEnd(width)}${does}\n`);
  return `${sentence}\n\nAvailable Commands:\n${lines.join('')}\nUsage:\n  ${path} [flags] [options]\n\nUse "${path} <command> --help" for more information about a given command.\nUse "kubectl options" for a list of global command-line options (applies to all commands).\n`;
};

const SECTIONS: readonly (readonly [title: string, names: string])[] = [
  ['Basic Commands (Beginner)', 'create expose run set'],
  ['Basic Commands (Intermediate)', 'explain get delete'],
  ['Deploy Commands', 'rollout scale autoscale'],
  ['Cluster Management Commands', 'cluster-info top cordon uncordon drain taint'],
  ['Troubleshooting and Debugging Commands', 'describe logs auth events'],
  ['Advanced Commands', 'apply patch replace wait'],
  ['Settings Commands', 'label annotate'],
  ['Other Commands', 'api-resources api-versions config version'],
];

const root = (): string =>
  `kubectl controls the Kubernetes cluster manager.\n\n Find more information at: https://kubernetes.io/docs/reference/kubectl/\n\n${SECTIONS.map(
    ([title, names]) =>
      `${title}:\n${names
        .split(' ')
        .map((name) => `  ${name}\n`)
        .join('')}\n`,
  ).join(
    '',
  )}Usage:\n  kubectl [flags] [options]\n\nUse "kubectl <command> --help" for more information about a given command.\nUse "kubectl options" for a list of global command-line options (applies to all commands).\n`;

export const HELP: Readonly<Record<string, string>> = {
  '': root(),
  rollout: about('kubectl rollout', 'Manage the rollout of one or many resources.', {
    history: 'View rollout history',
    pause: 'Mark the provided resource as paused',
    restart: 'Restart a resource',
    resume: 'Resume a paused resource',
    status: 'Show the status of the rollout',
    undo: 'Undo a previous rollout',
  }),
  set: about('kubectl set', 'Configure application resources.', {
    env: 'Update environment variables on a pod template',
    image: 'Update the image of a pod template',
    resources: 'Update resource requests/limits on objects with pod templates',
    selector: 'Set the selector on a resource',
    serviceaccount: 'Update the service account of a resource',
    subject: 'Update the user, group, or service account in a role binding or cluster role binding',
  }),
  top: about('kubectl top', 'Display resource (CPU/memory) usage.', {
    node: 'Display resource (CPU/memory) usage of nodes',
    pod: 'Display resource (CPU/memory) usage of pods',
  }),
  auth: about('kubectl auth', 'Inspect authorization.', {
    'can-i': 'Check whether an action is allowed',
    whoami: 'Experimental: Check self subject attributes',
  }),
  config: about('kubectl config', 'Modify kubeconfig files.', {
    'current-context': 'Display the current-context',
    'get-clusters': 'Display clusters defined in the kubeconfig',
    'get-contexts': 'Describe one or many contexts',
    'get-users': 'Display users defined in the kubeconfig',
    'set-context': 'Set a context entry in kubeconfig',
    'use-context': 'Set the current-context in a kubeconfig file',
    view: 'Display merged kubeconfig settings or a specified kubeconfig file',
  }),
};
