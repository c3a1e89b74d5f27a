/**
 * What each numbered behaviour changed. Whatever makes recorded inputs lead to another log than before (an order of
 * writes, a message, a back-off) is a new behaviour: add a line here and record the logs anew (CONTRIBUTING.md).
 */
export const BEHAVIOURS: Readonly<Record<number, string>> = {
  1: 'The first that is recorded.',
  2: 'Reconciles and writes have rates; kubelets and the Job controller see changes after a moment.',
  3: 'Scripts and tools run in machines: exit codes, times and messages of containers are those of their programs.',
  4: 'Equal times fire by name; probes, ends and schedules do not depend on who looks, or on who has loaded the cluster.',
  5: 'TCP and gRPC probes of programs that machines run are counted tick by tick.',
  6: 'A server listens since its program did, whoever looks; runs that were told to stop keep when.',
  7: 'What containers leave in shared trees is written down at once; nodes have a loopback; causes after a load.',
  8: 'Servers that are known by their summary log requests, which those who have asked remember; binaries of nodes have sizes of their own; a pod that ends at once is seen running.',
  9: 'A quota is added up after changes of what it counts; what a command leaves on its node as it ends is kept.',
  10: 'Commands of probes that ask others run tick by tick; a runtime that is down is noticed; what control planes and nodes show of themselves.',
  11: 'A reconcile that waits answers to the user’s change that comes meanwhile; claims wait for provisioners that nobody runs; retries of volumes and load balancers grow as upstream’s.',
  12: 'A command that leaves nothing wakes no kubelet; sent bytes cost what the kernel charges; claims of one pod, restart rules of containers, last writes of containers, evictions in kubelets’ logs; objects go with their definition.',
  13: 'While etcd has no leader the kubelet restarts the API server, and etcd is not ready; pods have claims from templates, and claims devices; a port of a node is taken once.',
  14: 'What a component does because of its own writes has the cause that it began with; objects that are done at once go by key; statuses wait for a leader of etcd; claims of ephemeral volumes, bootstrap tokens that expire; the order of variables in containers.',
  15: 'Booted nodes make new sandboxes and tell of their state twice; the controller manager and the scheduler end without their leases; retries of sandboxes and networks, messages of evictions, the reason of a deadline; held reports of probes; bash forgets set -e in a command substitution; words of YAML errors.',
  16: 'Pulls of a node wait for each other; BackOff is told of at each sync; kube-proxy tells of its start; evicted pods fail when their containers have ended; chaos controllers as upstream’s; programs of the cluster wait for the API server; lists in shells where nothing is split.',
  17: 'A host goes on when its Node is deleted; kubelets make a lease and a CSINode, and tell of their node by upstream’s reasons; a container that is being started comes before those that start again; an etcd may begin empty.',
  18: 'Pods with hostPID are in the PID namespace of their node, and hear signals; a node has its pods’ network namespaces and control groups; LitmusChaos has pods.',
  19: 'A crash fault gives a program its exit code; pods that end at once keep when they began; entries of managedFields for Jobs and CronJobs are stored without their fields.',
};

export const BEHAVIOUR_VERSION = Math.max(...Object.keys(BEHAVIOURS).map(Number));
