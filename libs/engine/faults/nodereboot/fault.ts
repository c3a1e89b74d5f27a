import { defineFault } from '../fault-type.js';
import { powerLoss } from '../power-loss.js';

export const fault = defineFault({
  name: 'NodeReboot',
  about: 'A node goes down and boots again.',
  symptoms: 'containers restart (exit code 255), the event Rebooted; NotReady when it takes longer than 50 s',
  selects: 'nodes',
  parameters: { takes: { type: 'duration', default: '40s', about: 'from going down until the kubelet runs again' } },
  effects: ({ nodes, seed }) => powerLoss(nodes, seed),
  lasts: (values) => values.ms('takes'),
});
