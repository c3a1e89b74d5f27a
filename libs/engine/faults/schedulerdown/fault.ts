import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'SchedulerDown',
  about: 'kube-scheduler ends whenever it is started.',
  symptoms:
    'new pods stay Pending without events; the static pod is in CrashLoopBackOff, its lease is not renewed, it is Unhealthy',
  selects: 'cluster',
  effects: () => [
    {
      does: 'component',
      component: 'kube-scheduler',
      reason:
        'E run.go:72] "command failed" err="failed to get delegated authentication kubeconfig: failed to get delegated authentication kubeconfig: stat /etc/kubernetes/scheduler.conf: no such file or directory"',
    },
  ],
});
