import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ControllerManagerDown',
  about: 'kube-controller-manager ends whenever it is started.',
  symptoms: 'Deployments, Jobs, endpoints and nodes stand still; the static pod is in CrashLoopBackOff',
  selects: 'cluster',
  effects: () => [
    {
      does: 'component',
      component: 'kube-controller-manager',
      reason:
        'E run.go:72] "command failed" err="stat /etc/kubernetes/controller-manager.conf: no such file or directory"',
    },
  ],
});
