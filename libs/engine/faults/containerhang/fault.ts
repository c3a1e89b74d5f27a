import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ContainerHang',
  about: 'Main processes are stopped (SIGSTOP): they neither answer nor end.',
  symptoms:
    'Unhealthy: context deadline exceeded; restarts by liveness probes after the whole grace period; no endpoints',
  selects: 'pods',
  lists: ['containers'],
  effects: ({ scope, target: { containers } }) => [
    { does: 'process', pods: scope, ...(containers ? { containers } : {}), act: 'hang' },
  ],
});
